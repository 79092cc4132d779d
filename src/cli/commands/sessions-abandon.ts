import { sessionName } from "../../domain/index.ts";
import { defineCommand } from "../command.ts";
import { snakeCase } from "../../journal/index.ts";

export const sessionsAbandonCommand = defineCommand({
  name: "sessions abandon",
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
            : `${paint.bold(sessionName(answer.id))} had ended already.`,
          ...(answer.snapshotRef === null
            ? []
            : [`Its uncommitted work is kept: ${paint.plain(answer.snapshotRef)}`]),
        ].join("\n"),
    };
  },
});
