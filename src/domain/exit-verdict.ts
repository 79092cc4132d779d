import type { AgentTrouble } from "./agent-event.ts";

/** What became of one run of an agent or command. Only `finished` and `failed` say something about the work. */
export type ExitVerdict =
  | { readonly outcome: "finished" }
  | { readonly outcome: "failed"; readonly exitCode: number | undefined; readonly because: FailedBecause }
  /** `untilMs` is epoch milliseconds; undefined when the output does not tell. */
  | { readonly outcome: "limited"; readonly untilMs: number | undefined; readonly said: string }
  | { readonly outcome: "unauthorised"; readonly said: string }
  | { readonly outcome: "context_exhausted"; readonly said: string }
  | { readonly outcome: "offline"; readonly said: string }
  | { readonly outcome: "killed"; readonly signal: string; readonly by: "supervisor" | "somebody" }
  | { readonly outcome: "timed_out" }
  /** It printed nothing and changed no file for so long that it was stopped. */
  | { readonly outcome: "silent" };

export type ExitOutcome = ExitVerdict["outcome"];

/** By its exit code, by its own last word though the exit code was 0, or because it may take no more turns. */
export type FailedBecause = "exit" | "result" | "turns";

/** Why a supervisor ended a command before it ended by itself. */
export const STOP_CAUSES = ["timeout", "silence", "asked", "lease_lost"] as const;
export type StopCause = (typeof STOP_CAUSES)[number];

/** Everything the verdict is made from. */
export interface ExitFacts {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly stopped: StopCause | undefined;
  /** The agent's own last word, if it had one. */
  readonly result: { readonly ok: boolean; readonly because?: "turns" } | undefined;
  /** What counts of the troubles that the output names. */
  readonly trouble: AgentTrouble | undefined;
  /** Whether the trouble was the last thing printed: an agent that waits for the network waits until it is stopped. */
  readonly stuck: boolean;
}

interface Row {
  readonly when: (facts: ExitFacts) => boolean;
  readonly verdict: (facts: ExitFacts) => ExitVerdict;
}

const saysFailed = ({ result }: ExitFacts) => result?.ok === false;
const tellsFromField = ({ trouble }: ExitFacts) => trouble?.from === "field";

/**
 * The first row that fits decides.
 *
 * What the supervisor itself did comes first, because it caused all the rest. A death by signal is next: an agent that
 * was killed has not hit a limit. Words alone never turn a success into a trouble: a program that works on rate limits
 * talks about them all day.
 */
const ROWS: readonly Row[] = [
  {
    when: ({ stopped, stuck, trouble }) =>
      (stopped === "timeout" || stopped === "silence") && stuck && trouble !== undefined,
    verdict: ({ trouble }) => troubled(trouble!),
  },
  { when: ({ stopped }) => stopped === "timeout", verdict: () => ({ outcome: "timed_out" }) },
  { when: ({ stopped }) => stopped === "silence", verdict: () => ({ outcome: "silent" }) },
  {
    when: ({ stopped }) => stopped !== undefined,
    verdict: ({ signal }) => ({ outcome: "killed", signal: signal ?? "SIGTERM", by: "supervisor" }),
  },
  {
    when: ({ signal }) => signal !== undefined,
    verdict: ({ signal }) => ({ outcome: "killed", signal: signal!, by: "somebody" }),
  },
  {
    when: (facts) =>
      facts.exitCode === 0 && !saysFailed(facts) && (facts.result?.ok === true || !tellsFromField(facts)),
    verdict: () => ({ outcome: "finished" }),
  },
  { when: ({ trouble }) => trouble !== undefined, verdict: ({ trouble }) => troubled(trouble!) },
  {
    when: () => true,
    verdict: ({ exitCode, result }) => ({
      outcome: "failed",
      exitCode,
      because: result?.because ?? (exitCode === 0 ? "result" : "exit"),
    }),
  },
];

export const verdictOfExit = (facts: ExitFacts): ExitVerdict =>
  ROWS.find(({ when }) => when(facts))!.verdict(facts);

function troubled({ kind, untilMs, said }: AgentTrouble): ExitVerdict {
  return kind === "limited" ? { outcome: kind, untilMs, said } : { outcome: kind, said };
}

/** Signals that come from outside. The others (a segmentation fault, an abort) are how a program itself fails. */
const KILLS: ReadonlySet<string> = new Set(["SIGHUP", "SIGINT", "SIGQUIT", "SIGKILL", "SIGTERM"]);

/** Whether something outside ended it: then it has said nothing about the work, and is run again. */
export const isCutOff = (verdict: ExitVerdict): boolean =>
  verdict.outcome === "killed" && verdict.by === "somebody" && KILLS.has(verdict.signal);

/** Outcomes that say nothing about the work: the session pauses, and no attempt is counted. */
export const PAUSES: ReadonlySet<ExitOutcome> = new Set<ExitOutcome>(["limited", "unauthorised", "offline"]);
