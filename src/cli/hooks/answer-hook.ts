import { readFileSync } from "node:fs";
import { isStampDue, stampName } from "../../agent-sessions/index.ts";
import type { HookVerbs } from "../../api.ts";
import type { Files } from "../../platform/ports/index.ts";
import { guard } from "../text/guard.ts";
import type { HookOutput } from "./hook-events.ts";
import { type HookInput, readHookInput } from "./hook-input.ts";
import { HOOK_NAMES, type HookName } from "./hook-names.ts";
import { cacheAnswer, cachedAnswer, cacheKeyOf } from "./answer-cache.ts";
import { type QuickState, quickState } from "./quick-state.ts";

/** Where a hook was called. */
export interface HookSite {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the agent's program piped in. */
  readonly event: () => Promise<string | undefined>;
  /** The verbs of the repository around a folder; what they need is loaded with the first call. */
  readonly verbs: (cwd: string) => Promise<{ readonly pawl: HookVerbs; readonly files: Files }>;
}

/** What a hook says; undefined means nothing. Whatever goes wrong says nothing either. */
export async function answerHook(site: HookSite, name: string): Promise<HookOutput> {
  if (!isName(name)) return failed(site, `There is no hook "${name}".`);
  try {
    const reading = site.event();
    // Loaded while the event comes in, where it is certain to be needed.
    const loading = MAY_NEED_NOTHING.has(name) ? undefined : import("./hook-events.ts");
    const input = readHookInput(await reading);
    const quick = MAY_NEED_NOTHING.has(name) ? quickState(input.cwd ?? site.cwd, site.env) : undefined;
    if (quick && hasNothingToDo(quick, name, input)) return undefined;
    const seen = quick && cacheKeyOf(quick);
    const [{ pawl, files }, { HOOK_EVENTS }] = await Promise.all([
      site.verbs(input.cwd ?? site.cwd),
      loading ?? import("./hook-events.ts"),
    ]);
    const output = await HOOK_EVENTS[name].answer(pawl, input);
    if (name === "stop" && !input.isRepeated && quick && seen !== undefined && output === undefined)
      cacheAnswer(files, quick, "stop", { seen, atMs: Date.now(), text: input.conversation });
    return output;
  } catch (error) {
    return failed(site, error instanceof Error ? error.message : String(error));
  }
}

/** These run all the time, and the short look is for them. */
const MAY_NEED_NOTHING: ReadonlySet<HookName> = new Set(["tool-use", "stop"]);

/** Nearly every use of a tool and end of a turn stops here, and nothing more is loaded for it. */
function hasNothingToDo(quick: QuickState, name: HookName, { conversation }: HookInput): boolean {
  const nowMs = Date.now();
  if (name === "stop") return cachedAnswer(quick, "stop", nowMs) === conversation;
  try {
    return !isStampDue(readFileSync(`${quick.stateDir}/${stampName(quick.top)}`, "utf8"), nowMs);
  } catch {
    return false;
  }
}

/** An exit code of two would stop an agent and one would be shown to its person: neither has done anything wrong. */
function failed({ env }: HookSite, why: string): undefined {
  if (env["PAWL_DEBUG"]) process.stderr.write(`${guard(`pawl hook: ${JSON.stringify(why)}`, false)}\n`);
}

const isName = (name: string): name is HookName => (HOOK_NAMES as readonly string[]).includes(name);
