import { defineCommand } from "../command.ts";
import { answerHook } from "../hooks/answer-hook.ts";
import { HOOK_NAMES } from "../hooks/hook-names.ts";

/** Called without further options, as hooks are, it has an entry of its own that loads less: `src/hook.ts`. */
export const hookCommand = defineCommand({
  name: "hook",
  more: `Reads the event as JSON from stdin and answers as the hooks of Claude Code want it. Events:
${HOOK_NAMES.join(", ")}. Every error ends silently with exit code 0, because a failing hook would block the agent;
PAWL_DEBUG=1 prints it on stderr.`,
  operands: [{ name: "event", about: `One of ${HOOK_NAMES.join(", ")}`, required: false }],
  options: {},
  examples: ["pawl hook session-start", "pawl hook stop"],
  async run({ cwd, env, files, event, pawl }, _values, [name = ""]) {
    const output = await answerHook(
      {
        cwd,
        env,
        event: async () => event?.(),
        verbs: async (folder) => ({ pawl: await pawl(folder), files }),
      },
      name,
    );
    return { data: { ...output }, text: () => (output === undefined ? "" : JSON.stringify(output)) };
  },
});
