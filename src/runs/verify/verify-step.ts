import {
  fromInstant,
  isCutOff,
  judgementIn,
  PAUSES,
  plural,
  shellWord,
  toInstant,
} from "../../domain/index.ts";
import { lazy } from "../../platform/index.ts";
import { PROMPTS } from "../../agents/index.ts";
import type { Heartbeat, SupervisedEnd } from "../../platform/ports/index.ts";
import {
  CHECKLIST,
  checksFor,
  type Evidence,
  findRecordedPass,
  openWork,
  ownEvidence,
  type StepCheck,
  type Verdict,
} from "../../verification/index.ts";
import { type ClaimedStep, lastFreshClaim, type StepView } from "../../steps/index.ts";
import { type CheckFolder, chooseCheckFolder } from "./check-folder.ts";
import { leftMarkers } from "./conflict-markers.ts";
import { passedBefore } from "./known-verdict.ts";
import { promptContext } from "../work/prompt-for.ts";
import { chooseAgent } from "../work/choose-agent.ts";
import { runSupervised } from "../work/run-command.ts";
import { planTip } from "../../commits/index.ts";
import { finishSubsteps, viewOfStep } from "../work/step-view.ts";
import { writtenStep } from "../work/step-view.ts";
import type { Paused } from "../finish/step-end.ts";
import type { Worker } from "../work/worker.ts";

export type Verification =
  | { readonly kind: "verdict"; readonly verdict: Verdict }
  /** The judge could not be asked now; that says nothing about the work. */
  | Paused
  /** Something outside ended the check: it has not answered. */
  | { readonly kind: "killed" }
  | { readonly kind: "cut" };

/**
 * Finds out whether the step is done, with this tree in the worktree.
 *
 * A check may itself change files (a formatter, a lock file), so the tree is read again before it is committed: a
 * verdict about a tree that is gone is none.
 */
export async function verifyStep(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat,
  { tree, extended, isMerged = false, base }: TreeToVerify,
): Promise<Verification> {
  const { ports } = worker;
  await finishSubsteps(worker, held);
  const step = await viewOfStep(ports, held);
  const checks = await checksOf(worker, held);
  const evidence: Evidence[] = [];
  const place = lazy(() => chooseCheckFolder(worker, held, { tree, isMerged, base }));
  const marked = await leftMarkers(worker, held, tree);
  if (marked) return { kind: "verdict", verdict: { ...marked, tree } };
  const known = await passedBefore(worker, held, { tree, checks, isMerged });
  for (const check of checks) {
    if (check.kind !== "checklist" && known) {
      evidence.push(...known);
      break;
    }
    const seen = await look(worker, { held, heart, step, tree, check, extended, place });
    if (seen.kind !== "seen") return seen;
    evidence.push(check.kind === "checklist" ? seen.evidence : await placed(seen.evidence, await place()));
    const { outcome, checked } = seen.evidence;
    if (outcome !== "passed") {
      const because = outcome === "timed_out" ? `${checked} took too long` : failureOf(seen.evidence);
      return { kind: "verdict", verdict: { outcome, because, evidence, tree } };
    }
  }
  if (evidence.length === 1 && !hasItems(step) && !(await hasChanged(worker, tree)))
    return {
      kind: "verdict",
      verdict: { outcome: "failed", because: NOTHING_TO_SHOW, evidence, tree },
    };
  const passed = evidence
    .map(({ checked }) => checked)
    .filter((name) => name !== CHECKLIST || hasItems(step));
  const because = passed.length === 0 ? NOTHING_CONFIGURED : `passed: ${passed.join(", ")}`;
  await tellSkipped(worker, held);
  return { kind: "verdict", verdict: { outcome: "passed", because, evidence, tree } };
}

export interface TreeToVerify {
  readonly tree: string;
  readonly extended: boolean;
  /** Whether the tree is not what lies in the worktree, but that and what others landed. */
  readonly isMerged?: boolean | undefined;
  /** What `HEAD` is where it is checked; what is checked out in the worktree when left out. */
  readonly base?: string | undefined;
}

/** What decides about a step. */
export async function checksOf(
  { ports, settings }: Worker,
  held: ClaimedStep,
): Promise<readonly StepCheck[]> {
  const own = (await writtenStep(ports, held))?.verification;
  return checksFor(await viewOfStep(ports, held), settings.verify, own);
}

/** Says where a check ran. A clean checkout hides nothing, so what lies beside it only explains why a check fails there. */
async function placed(evidence: Evidence, { where, beside }: CheckFolder): Promise<Evidence> {
  const told = where === "in-place" || evidence.outcome === "failed" ? await beside() : [];
  const isTold = where === "clean" && told.length > 0;
  const output = isTold
    ? [evidence.output, "Not in the tree that was checked:", ...told.map((line) => `- ${line}`)].join("\n")
    : evidence.output;
  return { ...evidence, output, where, ...(told.length === 0 ? {} : { beside: told }) };
}

const NOTHING_TO_SHOW = "nothing was changed, and there is nothing to check the step by";

const NOTHING_CONFIGURED = "passed: it has no items, and no check is configured";

/** A command out of the plan runs only where a person has said so; that it was not run is said. */
async function tellSkipped({ ports, settings, report }: Worker, held: ClaimedStep): Promise<void> {
  const command = (await writtenStep(ports, held))?.verification?.command;
  if (command === undefined || settings.verify.runCheckpoints) return;
  const text = `${held.anchor}: its own verification was not run: ${command} (run_checkpoints = true in [verify] runs it)`;
  report({ event: "note", text });
}

const hasItems = ({ items, substeps }: StepView): boolean => items.length > 0 || substeps.length > 0;

/** Against where the plan is. Without a branch of its own a run cannot report what was there before. */
async function hasChanged({ ports, session, plan, integration }: Worker, tree: string): Promise<boolean> {
  if (integration === undefined || plan === undefined) return true;
  const commits = await ports.commits();
  const tip = await planTip(ports, { plan, branch: integration });
  return (await commits.changed(session.worktree, tip, tree)).length > 0;
}

/** How many items are open says more than that the checklist failed; people with a program of their own ask how. */
function failureOf({ checked, output }: Evidence): string {
  if (checked !== CHECKLIST) return `${checked} failed`;
  const open = output.split("\n").length;
  return `${plural(open, "item is", "items are")} open (tick with: pawl state update)`;
}

interface Looking {
  readonly held: ClaimedStep;
  readonly heart: Heartbeat;
  readonly step: StepView;
  readonly tree: string;
  readonly check: StepCheck;
  readonly extended: boolean;
  readonly place: () => Promise<CheckFolder>;
}

type Seen =
  | { readonly kind: "seen"; readonly evidence: Evidence }
  | Exclude<Verification, { kind: "verdict" }>;

async function look(worker: Worker, looking: Looking): Promise<Seen> {
  const { check, held, step, tree } = looking;
  if (check.kind === "checklist") {
    const open = openWork(shellWord(held.plan), step);
    const at = toInstant(worker.ports.clock.wallMs());
    const outcome = open.length === 0 ? "passed" : "failed";
    const output = open.join("\n");
    return { kind: "seen", evidence: ownEvidence({ checked: CHECKLIST, outcome, output, tree, at }) };
  }
  const { failed } = await looking.place();
  if (worker.interruption.signal() !== undefined) return { kind: "cut" };
  if (failed) return { kind: "seen", evidence: notSetUp(worker, failed, tree) };
  return check.kind === "command"
    ? byCommand(worker, looking, check.argv)
    : byAgent(worker, looking, check.agent);
}

const notSetUp = (
  { ports }: Worker,
  { checked, output }: NonNullable<CheckFolder["failed"]>,
  tree: string,
): Evidence =>
  ownEvidence({
    checked,
    outcome: "failed",
    output: output.slice(-MOST_OUTPUT),
    tree,
    at: toInstant(ports.clock.wallMs()),
  });

const NOWHERE = { iteration: 1, position: -1, specId: undefined } as const;

async function byCommand(
  worker: Worker,
  { held, heart, tree, place }: Looking,
  argv: readonly string[],
): Promise<Seen> {
  const checked = argv.join(" ");
  const known = await recordedPass(worker, held, { checked, tree });
  if (known) return { kind: "seen", evidence: known };
  const { end } = await runSupervised(worker, {
    command: {
      name: "verify",
      type: "verify",
      timeoutMs: worker.settings.verify.timeoutMs,
      maxTurns: undefined,
    },
    place: NOWHERE,
    held,
    agent: undefined,
    argv,
    cwd: (await place()).cwd,
    heart,
    again: false,
    checked,
    known: (await place()).known,
  });
  if (wasCut(worker, heart, end)) return { kind: "cut" };
  if (isCutOff(end.verdict)) return { kind: "killed" };
  // For a plain program every exit code but 0 is a failed check, also those that mean "later" for an agent.
  const outcome =
    end.verdict.outcome === "timed_out" ? "timed_out" : end.exitCode === 0 ? "passed" : "failed";
  return { kind: "seen", evidence: evidenceOf(checked, outcome, end, tree) };
}

/** What a runner that was killed since had seen pass: to check the same files again would only cost time. */
async function recordedPass(
  { ports, session }: Worker,
  { plan, anchor }: ClaimedStep,
  { checked, tree }: { readonly checked: string; readonly tree: string },
): Promise<Evidence | undefined> {
  const step = { plan_path: plan, anchor };
  const database = await ports.database();
  const found = await database.read(async (sql) => {
    const fresh = (await sql.get(lastFreshClaim, step))?.claim ?? 0;
    return sql.get(findRecordedPass, { ...step, fresh, worktree_id: session.worktree.id, checked, tree });
  });
  if (found === undefined) return undefined;
  const { started_at, ended_at, output_tail } = found;
  return {
    checked,
    outcome: "passed",
    exitCode: 0,
    durationMs: fromInstant(ended_at!) - fromInstant(started_at),
    output: output_tail ?? "",
    tree,
    at: ended_at!,
  };
}

async function byAgent(worker: Worker, looking: Looking, name: string): Promise<Seen> {
  const { held, heart, tree, extended } = looking;
  const { verify } = worker.settings;
  const agent = chooseAgent(worker, name);
  const askedMs = worker.ports.clock.wallMs();
  const { end } = await runSupervised(worker, {
    command: {
      name: "verify-agent",
      type: "verify",
      timeoutMs: verify.timeoutMs,
      maxTurns: extended ? verify.extendedMaxTurns : verify.maxTurns,
    },
    place: NOWHERE,
    held,
    agent,
    prompt: PROMPTS.verify.write(await promptContext(worker, held, undefined)),
    cwd: (await looking.place()).cwd,
    heart,
    again: false,
    checked: `agent ${agent.name}`,
    known: (await looking.place()).known,
  });
  if (wasCut(worker, heart, end)) return { kind: "cut" };
  if (isCutOff(end.verdict)) return { kind: "killed" };
  const { verdict } = end;
  if (PAUSES.has(verdict.outcome)) return { kind: "paused", agent: agent.name, verdict };
  if (verdict.outcome === "finished") worker.pauses.clear(agent.name, askedMs);
  const ranOut =
    verdict.outcome === "timed_out" || (verdict.outcome === "failed" && verdict.because === "turns");
  const passed = verdict.outcome === "finished" && judgementIn(end.report.answer) === "pass";
  const outcome = ranOut ? "timed_out" : passed ? "passed" : "failed";
  return { kind: "seen", evidence: evidenceOf(`agent ${agent.name}`, outcome, end, tree) };
}

export const wasCut = ({ interruption }: Worker, heart: Heartbeat | undefined, end: SupervisedEnd): boolean =>
  (heart?.isLost() ?? false) || (interruption.signal() !== undefined && end.stopped === "asked");

const MOST_OUTPUT = 8 * 1024;

export const evidenceOf = (
  checked: string,
  outcome: Evidence["outcome"],
  end: SupervisedEnd,
  tree: string,
): Evidence => ({
  checked,
  outcome,
  exitCode: end.exitCode ?? null,
  durationMs: Math.round(end.durationMs),
  output: end.lastLines.join("\n").slice(-MOST_OUTPUT),
  tree,
  at: end.endedAt,
  log: end.log.path,
});
