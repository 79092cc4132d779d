import { defineCommand } from "../command.ts";
import { snakeCase } from "../../journal/index.ts";

export const sessionsRestoreCommand = defineCommand({
  name: "sessions restore",
  more: "Restores into its own worktree, after saving what is there now; or with --to into a new folder.",
  operands: [{ name: "session", about: "The session, or the beginning of its id", required: true }],
  options: { to: { type: "text", value: "DIR", about: "A folder that does not exist yet" } },
  examples: ["pawl sessions restore s-1f0c --to ../rescued"],
  async run(context, { to }, [id = ""]) {
    const answer = await (await context.pawl()).restoreSession({ id, to });
    return {
      data: snakeCase(answer),
      text: (paint) =>
        [
          `Restored ${paint.plain(answer.snapshot.ref)} to ${paint.bold(answer.path)}.`,
          ...(answer.before === null
            ? []
            : [`The work that was there before is kept: ${paint.plain(answer.before.ref)}`]),
        ].join("\n"),
    };
  },
});
