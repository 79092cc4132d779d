import { ALL_PRINTED, defineCommand } from "../command.ts";

export const acpCommand = defineCommand({
  name: "acp",
  more: `Runs start it for agents with \`preset = "acp"\`; people do not. Starts the program after \`--\`, gives it the prompt
from stdin, answers its requests for permission, and prints what it reports as lines of JSON.`,
  operands: [{ name: "program…", about: "The agent and its arguments, after `--`", required: true }],
  options: {
    session: { type: "text", value: "ID", about: "The conversation to take up again" },
    ask: { type: "flag", about: "Allow no command but those of --allow" },
    allow: { type: "text", many: true, value: "COMMAND", about: "A command that may run" },
  },
  examples: ["pawl acp -- gemini --acp", 'pawl acp --ask --allow "npm test" -- opencode acp'],
  async run({ servers, stdin }, { session, ask = false, allow = [] }, _operands, program) {
    const prompt = (await stdin(true)) ?? "";
    const commands = ask ? allow : undefined;
    return { ...ALL_PRINTED, exitCode: await servers!.converse({ program, prompt, session, commands }) };
  },
});
