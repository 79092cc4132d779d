import {
  canBeResumed,
  canMove,
  isAgainstLanded,
  isHeld,
  isResumable,
  type LeaseClock,
  orNothing,
  otherHost,
  resumeCommandLine,
  shellWord,
  type StepEvent,
  type StepStatus,
} from "../domain/index.ts";
import type { Ports, Sql } from "../platform/ports/index.ts";
import { asEntered, findSession, isOfThisClone, leaseClockOf, supersededIn } from "../sessions/index.ts";
import { type EventView, eventView, listStepEvents } from "../journal/index.ts";
import { listVerdicts, loadWorktreeToVerify, fullStateOf, fullWords } from "../verification/index.ts";
import { databaseFor, listOpenSteps, ownerAnchor, savedPlan, savedStep } from "../plans/index.ts";
import type { StepRow } from "../platform/index.ts";
import { type StepVerification, verificationOf } from "../steps/index.ts";
import { evidenceOf, type Fact, type FailedCheck, failureIn } from "./explain-evidence.ts";
import { type TrainPlace, trainsIn } from "./train.ts";
import { ownerIsGone, stoppedHolder, whyWaiting } from "../claims/index.ts";
import { type findingsFor, type FindingView, loadFindingsFor } from "../recovery/index.ts";
import { ruleOf } from "../recovery/rules/index.ts";
import { loadWorktreeUse } from "../worktrees/index.ts";

export interface Explanation {
  readonly anchor: string;
  readonly title: string;
  readonly status: StepStatus;
  /** One sentence: why it is where it is. */
  readonly because: string;
  /** What that rests on, each with the instant it is from. */
  readonly evidence: readonly Fact[];
  /** How it was verified, once it is completed. */
  readonly verification: StepVerification | null;
  /** What its last verification said, where that failed. */
  readonly failure: FailedCheck | null;
  /** Its place among the steps that wait to land. */
  readonly train: TrainPlace | null;
  /** What happens next if nobody does anything. */
  readonly next: string;
  /** What can be done, worker's verbs first. */
  readonly options: readonly string[];
  readonly events: readonly EventView[];
  /** What `pawl recover` would say about it. */
  readonly findings: readonly FindingView[];
}

export interface ExplainAnswer {
  readonly planPath: string;
  /** What the full check fails on, where the whole plan is asked about. */
  readonly fullCheck: string | null;
  readonly steps: readonly Explanation[];
}

export interface ExplainRequest {
  readonly plan: string;
  readonly step?: string | undefined;
  /** Looking for findings reads all of the plan; left out by whoever has them from elsewhere. */
  readonly withoutFindings?: boolean | undefined;
}

/** Why a step is in its state: the evidence, how fresh it is, what happens next, and what can be done. */
export async function explain(anyPorts: Ports, request: ExplainRequest): Promise<ExplainAnswer> {
  const ports = asEntered(anyPorts);
  const { key } = ports.plans.locate(request.plan);
  const database = await databaseFor(ports, key);
  const findings = request.withoutFindings ? [] : await findingsOf(ports, key, request.step);
  const rowsIn = async (sql: Sql): Promise<readonly StepRow[]> => {
    await savedPlan(sql, key);
    if (request.step !== undefined) return [await savedStep(sql, key, request.step)];
    const open = await sql.all(listOpenSteps, { plan_path: key, most: 20 });
    const found = new Set(findings.flatMap(({ anchor }) => (anchor === null ? [] : [anchor])));
    const others = [...found].filter((anchor) => !open.some((step) => step.anchor === anchor));
    return [...open, ...(await Promise.all(others.map((anchor) => savedStep(sql, key, anchor))))];
  };
  const verifiable = await verifiableOf(ports, await database.read(rowsIn));
  return database.read(async (sql) => {
    const moment = leaseClockOf(ports, sql);
    const steps: Explanation[] = [];
    const train = await trainsIn(ports, sql);
    for (const row of await rowsIn(sql)) {
      const own = findings.filter(({ anchor }) => anchor === row.anchor);
      const canBeVerified = verifiable.has(row.anchor);
      steps.push(await explanationOf(ports, sql, row, { moment, findings: own, canBeVerified, train }));
    }
    const fullCheck = request.step === undefined ? fullWords(await fullStateOf(sql, key)) : null;
    return { planPath: key, fullCheck, steps };
  });
}

const findingsOf: typeof findingsFor = async (...about) => (await loadFindingsFor()).findingsFor(...about);

/** The stopped steps whose work is still where it was done: of any other a verification would be refused. */
async function verifiableOf(ports: Ports, rows: readonly StepRow[]): Promise<ReadonlySet<string>> {
  const stopped = rows.filter(
    ({ status, parent_anchor }) => parent_anchor === null && canMove(status, "reverify"),
  );
  if (stopped.length === 0) return new Set();
  const [{ worktreeToVerify }, { worktreeUse }] = await Promise.all([
    loadWorktreeToVerify(),
    loadWorktreeUse(),
  ]);
  const useOf = await worktreeUse(ports);
  const found = await Promise.all(
    stopped.map(({ plan_path: plan, anchor }) =>
      worktreeToVerify(ports, useOf, { plan, anchor }).catch(orNothing),
    ),
  );
  return new Set(found.flatMap((place) => (place ? [place.step.anchor] : [])));
}

/** What is known of a step beside its row. */
interface Around {
  readonly moment: LeaseClock;
  readonly findings: readonly FindingView[];
  readonly canBeVerified: boolean;
  readonly train: readonly TrainPlace[];
}

async function explanationOf(
  ports: Ports,
  sql: Sql,
  step: StepRow,
  { moment, findings, canBeVerified, train }: Around,
): Promise<Explanation> {
  const { plan_path, anchor, title, status } = step;
  const owner = await savedStep(sql, plan_path, ownerAnchor(step));
  const gone = isHeld(owner.status) && (await ownerIsGone(sql, owner, moment));
  const stopped = isHeld(owner.status) && !gone ? await stoppedHolder(sql, owner, moment) : null;
  const events = await sql.all(listStepEvents, { plan_path, anchor, most: 10 });
  const verification = await verificationOf(sql, plan_path, anchor);
  const place = train.find((one) => one.planPath === plan_path && one.anchor === anchor);
  const verdict = (await sql.all(listVerdicts, { plan_path, anchor })).at(-1);
  return {
    anchor,
    title,
    status,
    because: await becauseOf(sql, step, owner, gone, moment),
    evidence: await evidenceOf(sql, step, { owner, verification, place, verdict }),
    verification: verification ?? null,
    failure: status === "completed" ? null : failureIn(verdict),
    train: place ?? null,
    next:
      nextBy(findings) ??
      (stopped ? "Nothing until a person continues it or takes its step over." : nextOf(step, gone)),
    options: [
      ...(stopped ? [`${stopped.takeOverWith} (saves its work)`] : []),
      ...(await resumeOf(ports, sql, owner)),
      ...optionsOf(step, owner, { isVerified: ports.settings.tables?.verify !== undefined, canBeVerified }),
      ...answersTo(findings),
    ],
    events: events.map(eventView).toReversed(),
    findings,
  };
}

async function becauseOf(
  sql: Sql,
  step: StepRow,
  owner: StepRow,
  gone: boolean,
  moment: LeaseClock,
): Promise<string> {
  if (step.status === "completed") {
    if (step.complete_reason !== null) return `It was completed by force: ${step.complete_reason}.`;
    return step.last_event === "proved" ? "A commit proves that it was done." : "Its owner completed it.";
  }
  if (step.status === "on_hold")
    return `A person put it on hold${step.block_note ? `: ${step.block_note}` : ""}.`;
  if (step.status === "blocked")
    return `It is blocked (${step.block_reason ?? "no reason given"})${step.block_note ? `: ${step.block_note}` : ""}.`;
  if (step.status === "pending") {
    const waiting = await whyWaiting(sql, step, moment);
    if (waiting.blockedBy.length > 0) return `It waits for ${waiting.blockedBy.join(", ")}.`;
    return step.reopen_reason !== null && step.last_event === "reopened"
      ? `It was reopened: ${step.reopen_reason}.`
      : "Nothing is in its way; nobody has claimed it.";
  }
  const host = otherHost(owner, moment);
  const where = host === null ? "" : ` on machine ${host}`;
  const holder = `${owner.claimed_by ?? "Somebody"}${where} holds it under claim ${owner.claim_seq}`;
  if (gone) return `${holder}, but that owner is gone.`;
  const stopped = await stoppedHolder(sql, owner, moment);
  if (stopped) return `${holder}, but its runner is stopped (pid ${stopped.pid}) and does nothing.`;
  const until = owner.lease_expires_at;
  return `${holder}${until === null ? "" : `, until ${until} unless it is renewed`}.`;
}

/** What recovery does about it. What is left to the run, the next claim does, and that is said already. */
function nextBy(findings: readonly FindingView[]): string | undefined {
  const found = findings.find(({ rule }) => ruleOf(rule).beforeRun !== "leaves");
  if (found?.automatic)
    return `The next run, or pawl recover, does this: ${found.automatic.repair}, because ${found.automatic.because}.`;
  return found && found.choices.length > 0 ? `A person decides. ${found.found}` : undefined;
}

const answersTo = (findings: readonly FindingView[]): readonly string[] =>
  findings.flatMap(({ rule, anchor, choices }) =>
    choices.map(
      ({ key, repair }) => `pawl recover --answer ${shellWord(`${rule}:${anchor}=${key}`)} (${repair})`,
    ),
  );

function nextOf(step: StepRow, gone: boolean): string {
  if (step.status === "completed") return "Nothing: completed steps stay completed.";
  if (step.status === "pending") {
    return step.unmet_deps > 0
      ? "It becomes ready when what it waits for is completed."
      : "The next claim may get it.";
  }
  if (isHeld(step.status)) {
    if (gone) return "The next claim takes it over.";
    return step.session_id === null
      ? "Its owner completes it, or its lease runs out and the next claim takes it over."
      : "Its session completes it, or ends, and the next claim takes it over.";
  }
  return "Nothing until a person retries it.";
}

/** An interrupted session goes on where it was, which no other verb does. */
async function resumeOf(ports: Ports, sql: Sql, { session_id: id }: StepRow): Promise<readonly string[]> {
  const session = id === null ? undefined : await sql.get(findSession, { id });
  if (session === undefined || !canBeResumed(session) || !isOfThisClone(ports, session)) return [];
  return isResumable(session, await supersededIn(sql)) ? [resumeCommandLine(session.id)] : [];
}

/** The verbs that the step machine allows from here, as command lines. */
function optionsOf(
  { plan_path, anchor, status, parent_anchor, unmet_deps, block_reason }: StepRow,
  owner: StepRow,
  { isVerified, canBeVerified }: { readonly isVerified: boolean; readonly canBeVerified: boolean },
): readonly string[] {
  const claimable = parent_anchor === null && unmet_deps === 0;
  const [plan, step] = [shellWord(plan_path), shellWord(anchor)];
  const where = shellWord(owner.claimed_by ?? ".");
  const verify = ["reverify", canBeVerified ? `pawl verify ${plan} ${step}` : ""] as const;
  const retry = ["retried", `pawl state retry ${plan} ${step}`] as const;
  const verbs: readonly (readonly [StepEvent, string])[] = [
    ["claimed", claimable ? `pawl state claim ${plan} --step ${step} --worktree .` : ""],
    ["started", `pawl state start ${plan} ${step} --worktree ${where}`],
    [
      "completed",
      // Where something is set to verify with, whoever does what stands here must not get past it.
      isVerified && parent_anchor === null
        ? `pawl commit --plan ${plan} --step ${step} --worktree ${where}`
        : `pawl state complete ${plan} ${step} --worktree ${where}`,
    ],
    ["released", parent_anchor === null ? `pawl state release ${plan} ${step} --worktree ${where}` : ""],
    ...(isAgainstLanded(block_reason) ? [retry, verify] : [verify, retry]),
    ["held", isHeld(status) ? "" : `pawl state hold ${plan} ${step}`],
  ];
  return verbs.filter(([event, line]) => line !== "" && canMove(status, event)).map(([, line]) => line);
}
