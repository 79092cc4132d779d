import { defineCommand } from "../command.ts";
import { snakeCase } from "../snake-case.ts";
import { sessionText } from "../text/show-session.ts";

const SESSION = {
  name: "session",
  about: "The session, or the beginning of its id",
  required: true,
} as const;

export const sessionsShow = defineCommand({
  name: "sessions show",
  about: "One session: what it was asked to do, and all it did",
  operands: [SESSION],
  options: {},
  examples: ["pawl sessions show s-1f0c"],
  async run(context, _values, [id = ""]) {
    const session = await (await context.pawl()).showSession({ id });
    return { data: snakeCase({ session }), text: (paint) => sessionText(session, paint, Date.now()) };
  },
});
