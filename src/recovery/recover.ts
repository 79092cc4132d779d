import { Failure, fullStop } from "../domain/index.ts";
import type { Interruption, Ports } from "../platform/ports/index.ts";
import { type Choice, type Finding, type Repair, type RuleName } from "./rules/index.ts";
import { journal } from "../journal/index.ts";
import type { RunEvent } from "../runs/index.ts";
import { ACTS } from "./repair/acts.ts";
import { type Answers, answerFor, refuseUnmet } from "./answers.ts";
import { findingsIn } from "./diagnosis.ts";
import type { Scope } from "./observe/observe.ts";
import { type FindingView, findingView, questionOf, findingSubject } from "./subject.ts";

/** Puts a question to a person; the answer is for the others, too, which are about the same run. */
export type Ask = (finding: Finding, others: readonly Finding[]) => Promise<string | undefined>;

export interface RecoverRequest {
  readonly scope: Scope;
  readonly dryRun?: boolean | undefined;
  /** Whether the findings of a rule are left to the caller. */
  readonly leaves?: ((rule: RuleName) => boolean) | undefined;
  readonly answers?: Answers | undefined;
  /** Repairs what was answered and nothing else; refuses before it begins when one of the answers is to nothing. */
  readonly onlyAnswered?: boolean | undefined;
  /** Who verifies and plans; the agent that did the step when left out. */
  readonly agent?: string | undefined;
  /** Asks a person, and answers with a key; undefined when no person can be asked. */
  readonly ask?: Ask | undefined;
  /** Called before and after each repair, in a line and in its parts. */
  readonly tell?: ((text: string, told: RepairStage) => void) | undefined;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  readonly interruption?: Interruption | undefined;
}

export interface RepairStage {
  readonly stage: "begins" | "ended";
  readonly found: string;
  readonly repair: string;
  /** A person was asked, and knows. */
  readonly isChosen: boolean;
}

export interface Repaired {
  readonly rule: string;
  readonly subject: string;
  readonly repair: string;
  readonly because: string;
  readonly outcome: string;
  /** False when it could not be done; the outcome says why. */
  readonly done: boolean;
  /** What to try next where it could not be done. */
  readonly hint?: string | undefined;
}

export interface RecoverAnswer {
  readonly dryRun: boolean;
  /** What there was to find at first, and what came up on the way. */
  readonly findings: readonly FindingView[];
  readonly repaired: readonly Repaired[];
  /** What still waits for a person, whether recovery has choices for it or only reports it. */
  readonly open: readonly FindingView[];
}

/**
 * Finds what a crash, a timeout or an edit has left, repairs what can be proven, asks about what cannot.
 *
 * A repair can bring something else to light (a session that is marked as dead was holding a step), so it looks again
 * until there is nothing new. Nothing is repaired twice in one call: what a repair did not settle is for the next.
 */
export async function recover(ports: Ports, request: RecoverRequest): Promise<RecoverAnswer> {
  const found = new Map<string, Finding>();
  const repaired: Repaired[] = [];
  const repairedSubjects = new Set<string>();
  const decisions: Decisions = { answered: new Set(), asked: new Map(), repaired };
  const { answered } = decisions;
  const look = async (): Promise<readonly Finding[]> => {
    const findings = (await findingsIn(ports, request.scope)).filter(
      (finding) =>
        !request.leaves?.(finding.rule) &&
        (!request.onlyAnswered || answerFor(request.answers, finding) !== undefined),
    );
    for (const finding of findings) found.set(keyOf(finding), finding);
    return findings;
  };
  let current = await look();
  if (request.onlyAnswered) refuseUnmet(request.answers ?? [], current);
  for (;;) {
    if (request.dryRun || isStopped(request)) break;
    const automatic = current.filter(
      ({ automatic, seen }) => automatic && !repairedSubjects.has(findingSubject(seen)),
    );
    for (const finding of automatic) {
      if (isStopped(request)) break;
      repairedSubjects.add(findingSubject(finding.seen));
      repaired.push(await carryOut(ports, request, finding, finding.automatic!));
    }
    if (automatic.length === 0 && !(await decide(ports, request, current, decisions))) break;
    current = await look();
  }
  const shown = new Set(repaired.filter(({ repair }) => repair === "show").map(nameOf));
  const open = current.filter(
    (finding) =>
      findingView(finding).weight === "decide" &&
      // A person who only wanted to see it has decided nothing.
      (!answered.has(keyOf(finding)) || shown.has(keyOf(finding))),
  );
  return {
    dryRun: request.dryRun ?? false,
    findings: [...found.values()].map(findingView),
    repaired,
    open: open.map(findingView),
  };
}

const keyOf = ({ rule, seen }: Finding): string => nameOf({ rule, subject: findingSubject(seen) });

const nameOf = ({ rule, subject }: { readonly rule: string; readonly subject: string }): string =>
  `${rule}:${subject}`;

const isStopped = ({ interruption }: RecoverRequest): boolean => interruption?.signal() !== undefined;

interface Decisions {
  /** Findings that something was done about. */
  readonly answered: Set<string>;
  /** Questions that were put to a person, with the key that was pressed, if any. */
  readonly asked: Map<string, string | undefined>;
  readonly repaired: Repaired[];
}

/** Whether anything was decided that may have changed what there is to see. */
async function decide(
  ports: Ports,
  request: RecoverRequest,
  findings: readonly Finding[],
  { answered, asked, repaired }: Decisions,
): Promise<boolean> {
  let isChanged = false;
  for (const finding of findings) {
    const { choices = [] } = finding;
    if (choices.length === 0 || answered.has(keyOf(finding)) || isStopped(request)) continue;
    const question = questionOf(findingView(finding));
    const others = findings.filter(
      (one) => one !== finding && !answered.has(keyOf(one)) && questionOf(findingView(one)) === question,
    );
    const given = answerFor(request.answers, finding);
    if (given === undefined && !asked.has(question))
      asked.set(question, await request.ask?.(finding, others));
    const key = given ?? asked.get(question);
    const choice = choices.find((one) => one.key === key);
    if (choice === undefined) continue;
    answered.add(keyOf(finding));
    repaired.push(await carryOut(ports, request, finding, choice));
    isChanged = true;
    // The sessions of a run are resumed together, so what is known of the others may be no longer so.
    if (others.length > 0) break;
  }
  return isChanged;
}

/** The journal says what is about to be done before anything is: a reader after a kill knows what was meant. */
async function carryOut(
  ports: Ports,
  request: RecoverRequest,
  finding: Finding,
  repair: Repair | Choice,
): Promise<Repaired> {
  const { rule, seen } = finding;
  const subject = findingSubject(seen);
  const base = { rule, subject, repair: repair.do, because: repair.because };
  const told = { found: finding.found, repair: repair.do, isChosen: "key" in repair };
  request.tell?.(`${fullStop(finding.found)} ${repair.do}: ${repair.because}`, { ...told, stage: "begins" });
  const database = await ports.database();
  await database.write((sql) =>
    journal(sql, {
      event: "repair-begun",
      ...(seen.kind === "step" ? { plan: seen.facts.plan, anchor: seen.facts.anchor } : {}),
      ...(seen.kind === "session" ? { session: seen.facts.id } : {}),
      detail: { ...base, found: finding.found },
    }),
  );
  const { onEvent, interruption, agent } = request;
  const context = { ports, because: repair.because, agent, onEvent, interruption };
  try {
    const answer = await ACTS[repair.do](context, seen);
    const { outcome, hint } = typeof answer === "string" ? { outcome: answer } : answer;
    request.tell?.(`${subject}: ${outcome}`, { ...told, stage: "ended" });
    return { ...base, outcome, done: typeof answer === "string", ...(hint === undefined ? {} : { hint }) };
  } catch (error) {
    // One that cannot be repaired does not stop the others.
    if (!(error instanceof Failure) || error.kind === "internal") throw error;
    request.tell?.(`${subject}: ${error.message}`, { ...told, stage: "ended" });
    return { ...base, outcome: error.message, done: false, hint: error.hint };
  }
}
