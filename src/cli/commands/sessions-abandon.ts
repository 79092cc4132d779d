import { sessionName } from "../../domain/session-name.ts";
import { defineCommand } from "../command.ts";
import { snakeCase } from "../snake-case.ts";

export const sessionsAbandon = defineCommand({
  name: "sessions abandon",
  about: "Decide that a session is not resumed; its work stays",
  operands: [{ name: "session", about: "The session, or the beginning of its id", required: true }],
  options: {},
  examples: ["pawl sessions abandon s-1f0c"],
  async run(context, _values, [id = ""]) {
    const answer = await (await context.pawl()).abandonSession({ id });
    return {
      data: snakeCase(answer),
      text: (paint) =>
        [
          answer.abandoned
            ? `Abandoned ${paint.bold(sessionName(answer.id))}.`
            : `${paint.bold(sessionName(answer.id))} was over already.`,
          ...(answer.snapshotRef === null
            ? []
            : [`Its uncommitted work is kept: ${paint.plain(answer.snapshotRef)}`]),
        ].join("\n"),
    };
  },
});
