import { readFileSync } from "node:fs";
import { Failure } from "../../domain/errors.ts";
import { defineCommand, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { isStampDue, stampName } from "../../flow/agent/beat-here.ts";
import { nearState } from "../hooks/near-state.ts";
import { HOOK_EVENTS, type HookName } from "../hooks/hook-events.ts";
import { readHookInput } from "../hooks/hook-input.ts";

const NAMES = Object.keys(HOOK_EVENTS) as HookName[];

export const hook = defineCommand({
  name: "hook",
  about: "Answer an event of an agent's program; for its hooks, not for people",
  more: `Reads the event as JSON from stdin and answers as the hooks of Claude Code want it. Events: ${NAMES.join(", ")}.
Whatever goes wrong ends with exit code 0 and without a word, because a hook that fails would stand in the agent's way;
PAWL_DEBUG=1 tells on stderr.`,
  operands: [{ name: "event", about: `One of ${NAMES.join(", ")}`, required: false }],
  options: {},
  examples: ["pawl hook session-start", "pawl hook stop"],
  async run(context, _values, [name = ""]) {
    if (!isName(name)) return failed(context, `There is no hook "${name}".`);
    try {
      const input = readHookInput(context.event?.());
      if (name === "tool-use" && hasJustBeaten(context, input.cwd)) return SILENT;
      const at = input.cwd !== undefined && context.pawlAt ? context.pawlAt(input.cwd) : context.pawl();
      const output = await HOOK_EVENTS[name].answer(await at, input);
      return { data: { ...output }, text: () => (output === undefined ? "" : JSON.stringify(output)) };
    } catch (error) {
      return failed(context, error instanceof Failure ? error.message : String(error));
    }
  },
});

const SILENT: Outcome = { data: {}, text: () => "" };

/** Nearly every use of a tool ends here, and nothing more is loaded for it. */
function hasJustBeaten({ cwd, env }: Context, at: string | undefined): boolean {
  const near = nearState(at ?? cwd, env);
  if (near === undefined) return false;
  try {
    return !isStampDue(readFileSync(`${near.stateDir}/${stampName(near.top)}`, "utf8"), Date.now());
  } catch {
    return false;
  }
}

/** Two would stop an agent and one would be shown to its person: neither has done anything wrong. */
function failed({ env }: Context, why: string): Outcome {
  if (env["PAWL_DEBUG"]) process.stderr.write(`pawl hook: ${JSON.stringify(why)}\n`);
  return SILENT;
}

const isName = (name: string): name is HookName => (NAMES as readonly string[]).includes(name);
