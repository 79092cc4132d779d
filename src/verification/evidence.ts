import { type Instant, safeBlock } from "../domain/index.ts";

/** What one check saw. All of it is kept. */
export interface Evidence {
  /** For people: `checklist`, `npm test`, `agent claude`. */
  readonly checked: string;
  readonly outcome: "passed" | "failed" | "timed_out";
  readonly exitCode: number | null;
  readonly durationMs: number;
  readonly output: string;
  readonly tree: string;
  readonly at: Instant;
  /** The whole output, where a program was started. */
  readonly log?: string | undefined;
  /** Where a command or an agent was run; of the checklist, and of older versions, there is none. */
  readonly where?: Where | undefined;
  /** What it could see although the tree does not hold it, in words. */
  readonly beside?: readonly string[] | undefined;
  /** What a person should know about it although it passed, in words. */
  readonly warnings?: readonly string[] | undefined;
}

/** What Pawl saw itself, without a program that took its time and ended with a code. */
export const ownEvidence = (
  seen: Pick<Evidence, "checked" | "outcome" | "output" | "tree" | "at">,
): Evidence => ({ ...seen, exitCode: null, durationMs: 0 });

const MOST_LINES = 8;

/** What decided: the first check that does not pass is the last that is made. */
export const failedCheckIn = (evidence: readonly Evidence[]): Evidence | undefined =>
  evidence.findLast(({ outcome }) => outcome !== "passed");

/** The lines of a failed check that people read, safe to show: the end of a program's output, the beginning of Pawl's own words. */
export function decidingLines({ output, exitCode, durationMs }: Evidence): readonly string[] {
  const lines = safeBlock(output)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const isOwn = exitCode === null && durationMs === 0;
  return isOwn ? lines.slice(0, MOST_LINES) : lines.slice(-MOST_LINES);
}

/** `clean`: in a checkout of exactly the tree. `in-place`: in the worktree, with everything that lies there. */
export type Where = "clean" | "in-place";

/** Where the checks of a verdict ran, for people; undefined where none was run. */
export function whereRun(evidence: readonly Evidence[]): string | undefined {
  const found = evidence.findLast(({ where }) => where !== undefined);
  if (found === undefined) return undefined;
  const tree = found.tree.slice(0, 12);
  return found.where === "clean" ? `clean checkout of tree ${tree}` : `in place, tree ${tree}`;
}

/** What the checks of a verdict saw beside the tree, each once. */
export const seenBeside = (evidence: readonly Evidence[]): readonly string[] => [
  ...new Set(evidence.flatMap(({ beside = [] }) => beside)),
];

export interface Verdict {
  readonly outcome: "passed" | "failed" | "timed_out";
  readonly because: string;
  readonly evidence: readonly Evidence[];
  /** The tree that all of it is about. */
  readonly tree: string;
}

/** What the look at a step's items is called in evidence. */
export const CHECKLIST = "checklist";

/** What evidence calls the look at a step's tests: whether they fail on the code from before, and which are gone. */
export const TESTS_CHECK = "the step's tests on the code from before";

/** How often a step may fail before a person must decide. */
export const MOST_ATTEMPTS = 3;

/**
 * How often kills may cut a step off. More than it may fail: a machine that is restarted again and again, or a system
 * that runs out of memory for others, says nothing about the step.
 */
export const MOST_CUT_OFF = 10;
