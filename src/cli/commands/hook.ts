import { readFileSync } from "node:fs";
import { Failure } from "../../domain/errors.ts";
import { defineCommand, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { isStampDue, stampName } from "../../flow/agent/beat-stamp.ts";
import { keepAnswer, keptAnswer, seenOf } from "../hooks/kept-answer.ts";
import { type NearState, nearState } from "../hooks/near-state.ts";
import { HOOK_NAMES, type HookName } from "../hooks/hook-names.ts";
import { type HookInput, readHookInput } from "../hooks/hook-input.ts";

export const hook = defineCommand({
  name: "hook",
  about: "Answer an event of an agent's program; for its hooks, not for people",
  more: `Reads the event as JSON from stdin and answers as the hooks of Claude Code want it. Events: ${HOOK_NAMES.join(", ")}.
Whatever goes wrong ends with exit code 0 and without a word, because a hook that fails would stand in the agent's way;
PAWL_DEBUG=1 tells on stderr.`,
  operands: [{ name: "event", about: `One of ${HOOK_NAMES.join(", ")}`, required: false }],
  options: {},
  examples: ["pawl hook session-start", "pawl hook stop"],
  async run(context, _values, [name = ""]) {
    if (!isName(name)) return failed(context, `There is no hook "${name}".`);
    try {
      const reading = context.event?.();
      // Loaded while the event comes in, where it is certain to be needed.
      const loading = MAY_NEED_NOTHING.has(name) ? undefined : import("../hooks/hook-events.ts");
      const input = readHookInput(await reading);
      const near = nearState(input.cwd ?? context.cwd, context.env);
      if (near && hasNothingToDo(near, name, input)) return SILENT;
      const seen = near && seenOf(near);
      const at = input.cwd !== undefined && context.pawlAt ? context.pawlAt(input.cwd) : context.pawl();
      const { HOOK_EVENTS } = await (loading ?? import("../hooks/hook-events.ts"));
      const { isInRun } = await import("../caller-options.ts");
      const caller = { inRun: await isInRun({ env: context.env, pawl: () => at }) };
      const output = await HOOK_EVENTS[name].answer(await at, input, caller);
      if (name === "stop" && !input.isRepeated && near && seen !== undefined && output === undefined)
        keepAnswer(context.files, near, "stop", { seen, atMs: Date.now(), text: input.conversation });
      return { data: { ...output }, text: () => (output === undefined ? "" : JSON.stringify(output)) };
    } catch (error) {
      return failed(context, error instanceof Failure ? error.message : String(error));
    }
  },
});

const SILENT: Outcome = { data: {}, text: () => "" };

const MAY_NEED_NOTHING: ReadonlySet<HookName> = new Set(["tool-use", "stop"]);

/** Nearly every use of a tool and end of a turn stops here, and nothing more is loaded for it. */
function hasNothingToDo(near: NearState, name: HookName, { conversation }: HookInput): boolean {
  const nowMs = Date.now();
  if (name === "stop") return keptAnswer(near, "stop", nowMs) === conversation;
  if (name !== "tool-use") return false;
  try {
    return !isStampDue(readFileSync(`${near.stateDir}/${stampName(near.top)}`, "utf8"), nowMs);
  } catch {
    return false;
  }
}

/** Two would stop an agent and one would be shown to its person: neither has done anything wrong. */
function failed({ env }: Context, why: string): Outcome {
  if (env["PAWL_DEBUG"]) process.stderr.write(`pawl hook: ${JSON.stringify(why)}\n`);
  return SILENT;
}

const isName = (name: string): name is HookName => (HOOK_NAMES as readonly string[]).includes(name);
