import {
  canBeResumed,
  canMove,
  doneElsewhere,
  fullStop,
  isAgainstLanded,
  isHeld,
  OPTIONAL,
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
import {
  type AgentWords,
  agentWordsIn,
  type EventView,
  eventView,
  listStepEvents,
} from "../journal/index.ts";
import { listVerdicts, loadWorktreeToVerify, fullStateOf, fullWords } from "../verification/index.ts";
import { databaseFor, listOpenSteps, ownerAnchor, savedPlan, savedStep } from "../plans/index.ts";
import type { StepRow } from "../platform/index.ts";
import { type VerifiedBy, verificationOf } from "../steps/index.ts";
import { explanationFacts, type Fact, type FailedCheck, failureIn } from "./explain-evidence.ts";
import { becauseOfPart, isBlockedOrHeld, nextOfPart, reopenedBecause } from "./explain-substep.ts";
import { type TrainPlace, trainsIn } from "./train.ts";
import { ownerIsGone, stoppedHolder, whyWaiting } from "../claims/index.ts";
import { type FindingView, loadDiagnosis } from "../recovery/index.ts";
import { type RepairName, REPAIRS, ruleOf } from "../recovery/rules/index.ts";
import { loadVerifyNow } from "../runs/index.ts";
import { loadWorktreeUse } from "../worktrees/index.ts";

export interface Explanation extends AgentWords {
  readonly anchor: string;
  readonly title: string;
  readonly status: StepStatus;
  /** One sentence: why it is where it is. */
  readonly because: string;
  /** What that rests on, each with the instant it is from. */
  readonly evidence: readonly Fact[];
  /** How it was verified, once it is completed. */
  readonly verification: VerifiedBy | null;
  /** What its last verification said, where that failed. */
  readonly failure: FailedCheck | null;
  /** Its place among the steps that wait to land. */
  readonly train: TrainPlace | null;
  /** What happens next if no person does anything. */
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
  /** Looking for findings reads all of the plan; left out by callers that have them already. */
  readonly withoutFindings?: boolean | undefined;
}

/** Why a step is in its state: the evidence, how fresh it is, what happens next, and what can be done. */
export async function explain(anyPorts: Ports, request: ExplainRequest): Promise<ExplainAnswer> {
  const ports = asEntered(anyPorts);
  const { key } = ports.plans.locate(request.plan);
  const database = await databaseFor(ports, key);
  const findings = request.withoutFindings ? [] : await findingsOf(anyPorts, request.plan);
  const rowsIn = async (sql: Sql): Promise<readonly StepRow[]> => {
    await savedPlan(sql, key);
    if (request.step !== undefined) return [await savedStep(sql, key, request.step)];
    const open = await sql.all(listOpenSteps, { plan_path: key, most: 20 });
    const found = new Set(findings.flatMap(({ steps }) => steps));
    const others = [...found].filter((anchor) => !open.some((step) => step.anchor === anchor));
    return [...open, ...(await Promise.all(others.map((anchor) => savedStep(sql, key, anchor))))];
  };
  const verifiable = await verifiableOf(ports, await database.read(rowsIn));
  return database.read(async (sql) => {
    const moment = leaseClockOf(ports, sql);
    const steps: Explanation[] = [];
    const train = await trainsIn(ports, sql);
    for (const row of await rowsIn(sql)) {
      const own = findings.filter(({ steps }) => steps.includes(row.anchor));
      const canBeVerified = verifiable.has(row.anchor);
      steps.push(await explanationOf(ports, sql, row, { moment, findings: own, canBeVerified, train }));
    }
    const fullCheck = request.step === undefined ? fullWords(await fullStateOf(sql, key)) : null;
    return { planPath: key, fullCheck, steps };
  });
}

/** A caller that only asks why a step has its status gets an answer even where the settings for runs are wrong. */
async function findingsOf(ports: Ports, plan: string): Promise<readonly FindingView[]> {
  const { diagnosis } = await loadDiagnosis();
  return (await diagnosis(ports, { plan }).catch(orNothing)) ?? [];
}

/** The stopped steps whose work is where it was done, or kept: of any other a verification would be refused. */
async function verifiableOf(ports: Ports, rows: readonly StepRow[]): Promise<ReadonlySet<string>> {
  const stopped = rows.filter(
    ({ status, parent_anchor }) => parent_anchor === null && canMove(status, "reverify"),
  );
  if (stopped.length === 0) return new Set();
  const [{ worktreeToVerify }, { worktreeUse }, { placeOfKept }] = await Promise.all([
    loadWorktreeToVerify(),
    loadWorktreeUse(),
    loadVerifyNow(),
  ]);
  const useOf = await worktreeUse(ports);
  const found = await Promise.all(
    stopped.map(
      async ({ plan_path: plan, anchor }) =>
        (await worktreeToVerify(ports, useOf, { plan, anchor }).catch(orNothing)) ??
        placeOfKept(ports, { plan, anchor }),
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
    because: foundOf(findings) ?? (await becauseOf(sql, step, owner, gone, moment)),
    evidence: await explanationFacts(sql, step, { owner, verification, place, verdict }),
    verification: verification ?? null,
    failure: status === "completed" ? null : failureIn(verdict),
    ...(status === "completed" ? NO_WORDS : await agentWordsIn(sql, { plan_path, anchor })),
    train: place ?? null,
    next:
      nextBy(findings) ??
      (stopped ? "Nothing until a person continues it or takes its step over." : nextOf(step, owner, gone)),
    options: isCommitted(findings)
      ? [recoverLine(step)]
      : [
          ...(stopped ? [`${stopped.takeOverWith}  # saves its work`] : []),
          ...(await resumeOf(ports, sql, owner)),
          ...optionsOf(step, owner, {
            isVerified: ports.settings.tables?.verify !== undefined,
            canBeVerified,
            holder: stopped ? "stopped" : gone ? "gone" : "living",
          }),
          ...answersTo(step, findings),
        ],
    events: events.map(eventView).toReversed(),
    findings,
  };
}

/** What a completed step was asked and refused is over. */
const NO_WORDS: AgentWords = { said: [], refused: [] };

/** What every interface says about the step, where a rule has something to say. */
const foundOf = (findings: readonly FindingView[]): string | undefined =>
  findings.find(({ kind }) => kind === "step")?.found;

/** Its work is finished and kept in git: nothing else may be offered that would do it again. */
const isCommitted = (findings: readonly FindingView[]): boolean =>
  findings.some(({ rule }) => rule === "committed-but-not-completed");

const recoverLine = ({ plan_path }: StepRow): string => `pawl recover ${shellWord(plan_path)}`;

async function becauseOf(
  sql: Sql,
  step: StepRow,
  owner: StepRow,
  gone: boolean,
  moment: LeaseClock,
): Promise<string> {
  if (step.status === "completed") {
    const { complete_reason: reason } = step;
    if (reason !== null)
      return fullStop(`It was ${doneElsewhere(reason) ?? `completed by force: ${reason}`}`);
    return step.last_event === "proved"
      ? "A commit proves that it was done."
      : "The worker that held it completed it.";
  }
  if (step.status === "on_hold" && step.block_reason === OPTIONAL)
    return "It is optional: nothing waits for it, and the plan is done without it.";
  if (step.status === "on_hold")
    return fullStop(`A person put it on hold${step.block_note ? `: ${step.block_note}` : ""}`);
  if (step.status === "blocked")
    return fullStop(
      `It is blocked: ${step.block_note ?? step.block_reason?.replaceAll("_", " ") ?? "it failed"}`,
    );
  if (step.status === "pending" && owner.anchor !== step.anchor)
    return becauseOfPart(sql, step, owner, moment);
  if (step.status === "pending") {
    const waiting = await whyWaiting(sql, step, moment);
    if (waiting.blockedBy.length > 0) return `It waits for ${waiting.blockedBy.join(", ")}.`;
    return reopenedBecause(step) ?? "It is ready; no worker has claimed it yet.";
  }
  const host = otherHost(owner, moment);
  const where = host === null ? "" : ` on machine ${host}`;
  const who = `${owner.claimed_by ?? "A worker"}${where}`;
  const claim = `(claim ${owner.claim_seq})`;
  const isClaimed = owner.status === "claimed";
  if (gone) return `${who} ${isClaimed ? "had claimed it" : "was working on it"} ${claim} and is gone.`;
  const holder = `${who} ${isClaimed ? "has claimed it" : "is working on it"} ${claim}`;
  const stopped = await stoppedHolder(sql, owner, moment);
  if (stopped) return `${holder}, but its runner is stopped (pid ${stopped.pid}) and does nothing.`;
  const until = owner.lease_expires_at;
  return `${holder}${until === null ? "" : `; its lease runs until ${until} unless it is renewed`}.`;
}

/** What recovery does about it. What is left to the run, the next claim does, and that is said already. */
function nextBy(findings: readonly FindingView[]): string | undefined {
  const acted = findings.filter(({ rule }) => ruleOf(rule).beforeRun !== "leaves");
  // What becomes of the step itself, before what becomes of its session.
  const found = acted.find(({ kind }) => kind === "step") ?? acted[0];
  if (found?.automatic)
    return `The next run, or pawl recover, does this: ${inSentence(found.automatic.repair)}, because ${found.automatic.because}.`;
  if (found === undefined || found.choices.length === 0) return undefined;
  return found.kind === "step" ? "A person decides." : `A person decides. ${found.found}`;
}

/** The choices of a person, as `recover` takes them, and the repair that needs none. What each does is a shell's comment. */
const answersTo = (step: StepRow, findings: readonly FindingView[]): readonly string[] =>
  findings.flatMap(({ rule, anchor, subject, choices, automatic }) => [
    ...choices.map(
      ({ key, repair }) =>
        `pawl recover --answer ${shellWord(`${rule}:${anchor ?? subject}=${key}`)}  # ${inSentence(repair)}`,
    ),
    ...(automatic ? [`${recoverLine(step)}  # ${inSentence(automatic.repair)}`] : []),
  ]);

/** A repair's label without the key that is pressed for it. */
function inSentence(repair: RepairName): string {
  const words = REPAIRS[repair].label.replace(/^\[.\] /, "");
  return words[0]!.toLowerCase() + words.slice(1);
}

function nextOf(step: StepRow, owner: StepRow, gone: boolean): string {
  if (step.status === "completed") return "Nothing: completed steps stay completed.";
  if (step.status === "pending" && owner.anchor !== step.anchor) return nextOfPart(owner);
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
  if (step.block_reason === "waiting_to_land") return "The next run lands it when the remote answers.";
  return "Nothing until a person retries it.";
}

/** An interrupted session continues where it was, which no other verb does. */
async function resumeOf(ports: Ports, sql: Sql, { session_id: id }: StepRow): Promise<readonly string[]> {
  const session = id === null ? undefined : await sql.get(findSession, { id });
  if (session === undefined || !canBeResumed(session) || !isOfThisClone(ports, session)) return [];
  return isResumable(session, await supersededIn(sql)) ? [resumeCommandLine(session.id)] : [];
}

interface Offers {
  readonly isVerified: boolean;
  readonly canBeVerified: boolean;
  readonly holder: "living" | "stopped" | "gone";
}

/** The verbs that the step machine allows from here, as command lines that will not be refused. */
function optionsOf(step: StepRow, owner: StepRow, offers: Offers): readonly string[] {
  const { plan_path, anchor, status, parent_anchor, unmet_deps, block_reason } = step;
  const { isVerified, canBeVerified, holder } = offers;
  const isFree = parent_anchor === null && unmet_deps === 0;
  const [plan, name] = [shellWord(plan_path), shellWord(anchor)];
  const claim = isFree ? `pawl state claim ${plan} --step ${name} --worktree .` : "";
  if (isHeld(status) && holder === "stopped") return [];
  // Its owner's own verbs would be refused: it is gone, and so may be its worktree.
  if (isHeld(status) && holder === "gone")
    return [claim, parent_anchor === null ? `pawl state release ${plan} ${name} --force` : ""].filter(isLine);
  const where = shellWord(owner.claimed_by ?? ".");
  const verify = ["reverify", canBeVerified ? `pawl verify ${plan} ${name}` : ""] as const;
  const retry = ["retried", `pawl state retry ${plan} ${name}`] as const;
  const verbs: readonly (readonly [StepEvent, string])[] = [
    ["claimed", claim],
    ["started", `pawl state start ${plan} ${name} --worktree ${where}`],
    [
      "completed",
      // Where something is set to verify with, a caller that follows this must not get past it.
      isVerified && parent_anchor === null
        ? `pawl commit --plan ${plan} --step ${name} --worktree ${where}`
        : `pawl state complete ${plan} ${name} --worktree ${where}`,
    ],
    ["released", parent_anchor === null ? `pawl state release ${plan} ${name} --worktree ${where}` : ""],
    ...(isAgainstLanded(block_reason) ? [retry, verify] : [verify, retry]),
    ["held", isHeld(status) ? "" : `pawl state hold ${plan} ${name}`],
  ];
  if (status === "pending" && parent_anchor !== null && isBlockedOrHeld(owner))
    return [`pawl state retry ${plan} ${shellWord(owner.anchor)}`];
  return verbs.filter(([event, line]) => isLine(line) && canMove(status, event)).map(([, line]) => line);
}

const isLine = (line: string): boolean => line !== "";
