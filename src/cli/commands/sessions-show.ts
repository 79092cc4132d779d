import { defineCommand } from "../command.ts";
import { sessionText } from "../text/show-session.ts";
import { snakeCase } from "../../journal/index.ts";

const SESSION = {
  name: "session",
  about: "The session, or the beginning of its id",
  required: true,
} as const;

export const sessionsShowCommand = defineCommand({
  name: "sessions show",
  operands: [SESSION],
  options: {},
  examples: ["pawl sessions show s-1f0c"],
  async run(context, _values, [id = ""]) {
    const session = await (await context.pawl()).showSession({ id });
    return { data: snakeCase({ session }), text: (paint) => sessionText(session, paint, Date.now()) };
  },
});
