import { plural, shellWord } from "../../domain/index.ts";
import type { BlockReason } from "../finish/block-step.ts";
import { CHECKLIST } from "../../verification/index.ts";
import type { StepEnd } from "../finish/step-end.ts";

/** A step that verification has blocked, and what did not pass. */
export interface Failing {
  readonly anchor: string;
  /** As in its evidence; undefined where no verification came to an end. */
  readonly check: string | undefined;
}

/** What a blocked step says about the checks: they failed, they passed, or they were not asked. */
const SAYS: Readonly<Record<BlockReason, "failed" | "passed" | "nothing">> = {
  verification_escalated: "failed",
  verification_timeout: "failed",
  merge_conflict: "passed",
  landing_rejected: "passed",
  agent_timeout: "nothing",
  // An agent without its login, or of the wrong version, fails at every step alike.
  agent_failed: "failed",
  cut_off: "nothing",
  commit_unclear: "nothing",
  not_committable: "nothing",
  commit_refused: "failed",
  waiting_to_land: "passed",
  push_refused: "passed",
  step_failed: "failed",
};

/** The steps in a row that verification has blocked, after one more has ended. One that passes begins the row anew. */
export function failingAfter(row: readonly Failing[], anchor: string, end: StepEnd): readonly Failing[] {
  if (end.kind === "completed") return [];
  if (end.kind !== "blocked") return row;
  const said = SAYS[end.reason];
  if (said === "passed") return [];
  return said === "failed" ? [...row, { anchor, check: end.check }] : row;
}

/** What refused a commit in evidence. */
export const COMMIT_CHECK = "git commit";

/** What stands in evidence where the agent itself failed. */
export const AGENT_CHECK = "the agent's own end";

/** What failed was git or Pawl, and there is nothing to run by hand. */
const isNoCheck = (check: string): boolean => check === COMMIT_CHECK || /^E\d{3} /.test(check);

/** Why nothing more is handed out, and what a person can try. */
export function whyHalted(
  row: readonly Failing[],
  { plan, branch }: { readonly plan: string; readonly branch: string },
): string {
  const checks = [...new Set(row.flatMap(({ check }) => (check === undefined ? [] : [check])))];
  const named = checks.length === 0 ? "verification" : checks.join(", ");
  const steps = row.map(({ anchor }) => anchor);
  const [first] = steps;
  const ways: readonly (readonly [(check: string) => boolean, string])[] = [
    [(check) => check === CHECKLIST, "See whether the agent ticks what it has done (pawl state update)"],
    [
      (check) => check === AGENT_CHECK,
      `Read what the agent said with pawl explain ${shellWord(plan)} ${shellWord(first!)}`,
    ],
    [isNoCheck, `Read what went wrong with pawl explain ${shellWord(plan)} ${shellWord(first!)}`],
  ];
  const way = checks.length === 0 ? undefined : ways.find(([isIt]) => checks.every(isIt));
  const tries = way?.[1] ?? `Run it by hand in a clean checkout of ${branch}`;
  const one = steps.length === 1 ? shellWord(first!) : "--all-blocked";
  return `${named} blocked ${plural(steps.length, "step")} in a row (${steps.join(", ")}), and none passed in between. ${tries}; once it is repaired: pawl state retry ${shellWord(plan)} ${one}`;
}
