import { converse } from "../../agents/index.ts";
import { ACP_MARK, Failure } from "../../domain/index.ts";
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
  async run(context, { session, ask = false, allow = [] }, _operands, program) {
    const { cwd, env, stdin, stream, servers, interruption } = context;
    // An agent may run any `pawl` command: without this it could start any program by this one.
    if (env["PAWL_SESSION"] && env[ACP_MARK] === undefined)
      throw new Failure("desk/supervised", "`pawl acp` is for runs: the agent of a step does not call it.", {
        command: "acp",
      });
    const prompt = (await stdin(true)) ?? "";
    const agent = await servers!.talkTo(program, (line) => conversation.take(line));
    const conversation = converse({
      cwd,
      prompt,
      session,
      commands: ask ? allow : undefined,
      send: (message) => agent.send(JSON.stringify(message)),
      print: (event) => stream.line(JSON.stringify(event)),
    });
    const deafen = interruption().listen(conversation.cancel);
    // An agent that ends without an answer has said why on stderr.
    const exitCode = await Promise.race([conversation.done, agent.ended.then((code) => code || 1)]);
    deafen();
    agent.stop();
    return { ...ALL_PRINTED, exitCode };
  },
});
