import { isOpenItem, plural, shellWord } from "../../domain/index.ts";
import { type PrimeStep, primeText } from "../../agent-sessions/index.ts";
import { line } from "../../agents/index.ts";
import type { HookVerbs } from "../../api.ts";
import { isInRun } from "../is-in-run.ts";
import { shortCalls } from "../agent-commands.ts";
import type { HookInput } from "./hook-input.ts";
import type { HookName } from "./hook-names.ts";

/** What a hook says to the program that called it; undefined means nothing. */
export type HookOutput = Readonly<Record<string, unknown>> | undefined;

export interface HookEvent {
  /** The event as the agent's program names it. */
  readonly event: string;
  readonly about: string;
  readonly answer: (pawl: HookVerbs, input: HookInput) => Promise<HookOutput>;
}

/**
 * The events of an agent's program, by what they are called here.
 *
 * None of them refuses anything but a stop, and that once: a gate in front of an agent that Pawl misunderstands would
 * keep a person from their work.
 */
export const HOOK_EVENTS = {
  "session-start": {
    event: "SessionStart",
    about: "Tells the agent what it must know, and what an earlier session left",
    answer: sessionStart,
  },
  "tool-use": {
    event: "PostToolUse",
    about: "Renews the claim of the worktree, at most every 30 seconds",
    async answer(pawl) {
      await pawl.heartbeatHere();
      return undefined;
    },
  },
  "pre-compact": {
    event: "PreCompact",
    about: "Writes a hand-over before the agent's memory is cut short",
    async answer(pawl, { trigger, note }) {
      await pawl.handOver({ trigger, note });
      return undefined;
    },
  },
  stop: {
    event: "Stop",
    about: "Says what is left of the step, once",
    answer: stop,
  },
  "session-end": {
    event: "SessionEnd",
    about: "Notes that the agent ended in order",
    async answer(pawl) {
      await pawl.markCleanExit();
      return undefined;
    },
  },
} as const satisfies Readonly<Record<HookName, HookEvent>>;

const AFTER = { startup: "start", clear: "start", resume: "resume", compact: "compact" } as const;

async function sessionStart(pawl: HookVerbs, { source }: HookInput): Promise<HookOutput> {
  const seen = await pawl.prime({ withDecisions: true });
  // A repository that has nothing to do with Pawl stays as it is.
  if (seen.plans.length === 0) return undefined;
  const calls = [
    ...shortCalls({ inRun: await isInRun({ pawl: async () => pawl }) }),
    { usage: "pawl prime", about: "How these are called, and this again" },
  ];
  const text = primeText({ seen, after: AFTER[source], calls });
  return { hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: text } };
}

const MOST_ITEMS = 10;

async function stop(pawl: HookVerbs, { isRepeated, conversation }: HookInput): Promise<HookOutput> {
  if (isRepeated) return undefined;
  const { step } = await pawl.unfinishedStep({ conversation });
  if (step === null) return undefined;
  // The run verifies and commits; what its agent can forget is to tick.
  const reason = (await isInRun({ pawl: async () => pawl })) ? notTicked(step) : leftOf(step);
  return reason === undefined ? undefined : { decision: "block", reason };
}

/** For an agent that a run has started; undefined where it has ticked everything. */
function notTicked({ anchor, planPath, items }: PrimeStep): string | undefined {
  const open = items.filter(isOpenItem);
  if (open.length === 0) return undefined;
  return [
    `${plural(open.length, "item", "items")} of ${line(anchor)} ${open.length === 1 ? "is" : "are"} not ticked. Run the command of each one that is true. Finish what is not true first, and say so if you cannot. Do not tick boxes in the plan.`,
    ...open
      .slice(0, MOST_ITEMS)
      .map(
        ({ anchor: of, kind, ordinal, text }) =>
          `- ${kind} ${ordinal}: ${line(text).slice(0, 160)}\n  pawl state update ${shellWord(line(planPath))} ${shellWord(line(of))} --${kind} ${ordinal} completed`,
      ),
    ...(open.length > MOST_ITEMS ? [`- ${open.length - MOST_ITEMS} more: pawl state show lists them`] : []),
  ].join("\n");
}

function leftOf({ anchor, planPath, status, items }: PrimeStep): string {
  const open = items.filter(isOpenItem);
  return [
    `You still hold ${line(anchor)} of ${line(planPath)} (${status}); it is not verified and not committed.`,
    ...(open.length === 0 ? ["All items are done: submit it."] : [`Open, from ${line(planPath)}:`]),
    ...open
      .slice(0, MOST_ITEMS)
      .map(
        ({ anchor: of, kind, ordinal, text }) =>
          `| ${line(of)} ${kind} ${ordinal}: ${line(text).slice(0, 160)}`,
      ),
    ...(open.length > MOST_ITEMS ? [`| … ${open.length - MOST_ITEMS} more`] : []),
    "Finish it, release it, or tell the person what is missing and stop. This message appears once.",
  ].join("\n");
}
