import { type Instant, isHeld, plural } from "../domain/index.ts";
import { listStepLateResults } from "../commits/index.ts";
import type { StepRow, VerdictRow } from "../platform/index.ts";
import type { Sql } from "../platform/ports/index.ts";
import { listStepItems, listSubsteps } from "../plans/index.ts";
import { findSession } from "../sessions/index.ts";
import { keptWorkOf, type VerifiedBy, verificationWords } from "../steps/index.ts";
import { CHECKLIST, decidingLines, type Evidence, seenBeside, whereRun } from "../verification/index.ts";
import { unverifiedMerges } from "../worktrees/index.ts";
import { type TrainPlace, trainWords } from "./train.ts";

/** Something that an explanation rests on, with the instant it is from. */
export interface Fact {
  readonly at: Instant | null;
  readonly fact: string;
}

export interface FailedCheck {
  readonly checked: string;
  /** Whether the work passes alone, and fails only with what landed meanwhile. */
  readonly together: boolean;
  /** The last lines that it printed, safe to show. */
  readonly lines: readonly string[];
  readonly attempt: number;
  readonly exitCode: number | null;
  /** The file with its whole output. */
  readonly log: string | null;
}

/** What is read of a step beside its row, once. */
export interface KnownOfStep {
  readonly owner: StepRow;
  readonly verification: VerifiedBy | undefined;
  readonly place: TrainPlace | undefined;
  readonly verdict: VerdictRow | undefined;
}

/** What the check said that failed last; of what Pawl found itself, the first lines say what it is. */
export function failureIn(verdict: VerdictRow | undefined): FailedCheck | null {
  if (verdict === undefined || verdict.outcome === "passed") return null;
  const evidence = JSON.parse(verdict.evidence) as readonly Evidence[];
  const failed = evidence.filter(({ outcome }) => outcome !== "passed");
  const [first] = failed;
  if (first === undefined) return null;
  return {
    checked: first.checked,
    together: failed.length > 1,
    lines: decidingLines(first),
    attempt: verdict.attempt,
    exitCode: first.exitCode,
    log: first.log ?? null,
  };
}

/** Work of a step that was given back: the next run continues with it. */
async function keptFacts(sql: Sql, step: StepRow): Promise<readonly Fact[]> {
  if (step.status !== "pending" || step.last_worktree_id === null) return [];
  const kept = await keptWorkOf(sql, step.plan_path, step.anchor);
  return kept ? [{ at: kept.at, fact: `work of it is kept: ${kept.ref}` }] : [];
}

/** What an explanation of a step rests on. */
export async function explanationFacts(
  sql: Sql,
  step: StepRow,
  { owner, verification, place, verdict }: KnownOfStep,
): Promise<readonly Fact[]> {
  const facts: Fact[] = [];
  const add = (at: Instant | null, fact: string) => facts.push({ at, fact });
  if (step.completed_at !== null)
    add(
      step.completed_at,
      [
        step.commit_hash ? `landed as ${step.commit_hash}` : "completed without a commit",
        ...(verification ? [verificationWords(verification)] : []),
      ].join(", "),
    );
  if (step.completed_at !== null)
    for (const { at, planPath, baseBranch, commitHash, check, because } of await unverifiedMerges(sql))
      if (planPath === step.plan_path && at >= step.completed_at)
        add(at, `${baseBranch} got it in ${commitHash} without ${check ?? "a check"}: ${because}`);
  facts.push(...(await keptFacts(sql, step)));
  if (isHeld(step.status)) {
    if (owner.claimed_at !== null) add(owner.claimed_at, `claimed by ${owner.claimed_by ?? "a worker"}`);
    if (step.started_at !== null) add(step.started_at, "started");
    if (owner.heartbeat_at !== null) add(owner.heartbeat_at, "last heartbeat");
  }
  if (owner.session_id !== null) {
    const session = await sql.get(findSession, { id: owner.session_id });
    if (session)
      add(
        session.ended_at ?? session.started_at,
        `session ${session.id} (pid ${session.pid}) is ${session.status}`,
      );
  }
  const items = await sql.all(listStepItems, { plan_path: step.plan_path, anchor: step.anchor });
  if (items.length > 0) {
    const done = items.filter((item) => item.status === "completed");
    const newest = done.reduce<Instant | null>(
      (last, { updated_at: at }) => (at !== null && at > (last ?? "") ? at : last),
      null,
    );
    add(newest, `${done.length} of ${plural(items.length, "item")} completed`);
  }
  const substeps = await sql.all(listSubsteps, { plan_path: step.plan_path, anchor: step.anchor });
  if (substeps.length > 0)
    add(
      null,
      `${substeps.filter((substep) => substep.status === "completed").length} of ${plural(substeps.length, "substep")} completed`,
    );
  if (place) add(place.since, trainWords(place));
  if (verdict) facts.push(...verdictFacts(verdict));
  for (const late of await sql.all(listStepLateResults, { plan_path: step.plan_path, anchor: step.anchor })) {
    add(
      late.recorded_at,
      `a late result of claim ${late.claim ?? "?"} is kept${late.held_ref ? ` at ${late.held_ref}` : ""}`,
    );
  }
  return facts;
}

function verdictFacts(verdict: VerdictRow): readonly Fact[] {
  const at = verdict.recorded_at;
  const evidence = JSON.parse(verdict.evidence) as readonly Evidence[];
  const ran = whereRun(evidence);
  const why = verdict.outcome === "passed" ? "" : `: ${verdict.because}`;
  const what = evidence.every(({ checked }) => checked === CHECKLIST) ? "checklist" : "verification";
  const outcome = verdict.outcome.replace("_", " ");
  return [
    { at, fact: `${what} ${verdict.attempt} ${outcome}${why}${ran === undefined ? "" : ` (${ran})`}` },
    ...seenBeside(evidence).map((line) => ({ at, fact: `not in the tree that was checked: ${line}` })),
    ...evidence
      .flatMap(({ warnings = [] }) => warnings)
      .map((line) => ({ at, fact: `about its tests: ${line}` })),
  ];
}
