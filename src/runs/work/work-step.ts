import { after, type ExitOutcome, type ExitVerdict, isCutOff, PAUSES } from "../../domain/index.ts";
import { listStepCheckpoints } from "../../sessions/index.ts";
import type { Heartbeat } from "../../platform/ports/index.ts";
import { beginAttempt } from "../verify/attempt.ts";
import { adoptTicks, saysStatus } from "./adopt-ticks.ts";
import { remind } from "./remind.ts";
import type { KnownFiles } from "./checkpoint.ts";
import { verifyAndLand } from "../verify/verify-and-land.ts";
import { restoreKeptWork } from "../land/kept-work.ts";
import { blockAfterKills } from "../finish/block-after-kills.ts";
import { blockStep } from "../finish/block-step.ts";
import { escalate, reject } from "../verify/reject.ts";
import { passToNextAgent, pickAgent } from "./pick-agent.ts";
import { type CommandDone, runWorkflowCommand } from "./run-command.ts";
import { type StepResult, lost, type StepEnd } from "../finish/step-end.ts";
import { endWithFailure, giveBackWork } from "../finish/step-failure.ts";
import { AGENT_CHECK } from "../verify/failing-checks.ts";
import { evidenceOf, wasCut } from "../verify/verify-step.ts";
import { lastWork, type Start, whereToStart } from "./where-to-start.ts";
import type { ClaimedStep } from "../../steps/index.ts";
import type { Worker } from "./worker.ts";

/**
 * One step, from its claim to its end: the workflow's commands, verification, commit, completion.
 *
 * Work that verification rejects goes back to the first command that does work, with the evidence, until it passes or
 * the step has used up its attempts.
 */
export async function workStep(
  worker: Worker,
  held: ClaimedStep,
  options: WorkOptions = {},
): Promise<StepEnd> {
  const { running, config, session } = worker;
  const heart = running.heartbeats.start({
    plan: worker.operand ?? held.plan,
    step: held.anchor,
    worktree: session.worktree.path,
    claim: held.claim,
    session: session.id,
    leaseSeconds: config.leaseSeconds,
    graceMs: config.graceMs,
  });
  try {
    return await work(worker, held, heart, options);
  } catch (error) {
    return await endWithFailure(worker, held, heart, error);
  } finally {
    await heart.stop();
  }
}

interface WorkOptions {
  readonly verifyOnly?: boolean;
  /** What lies in the worktree, where nothing of the step is there yet. */
  readonly known?: KnownFiles | undefined;
}

async function work(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat,
  { verifyOnly = false, known }: WorkOptions,
): Promise<StepEnd> {
  let from: Beginning = verifyOnly
    ? { next: { kind: "done" } }
    : { ...(await whereToStart(worker, held)), ...(held.claim === 1 ? { known } : {}) };
  const restored =
    from.next.kind === "run" && from.last === undefined ? await restoreKeptWork(worker, held) : undefined;
  if (restored) from = { next: restored };
  // The first claim has no past.
  const cutOff =
    held.claim > 1 && from.next.kind === "run" ? await blockAfterKills(worker, held, heart) : undefined;
  if (cutOff) return cutOff;
  for (;;) {
    const judged = await runAndJudge(worker, held, heart, { from, verifyOnly }).catch((error: unknown) =>
      giveBackWork(worker, held, error),
    );
    if (judged.kind !== "go") return judged;
    if (verifyOnly) return { kind: "blocked", reason: "verification_escalated", note: judged.value };
    const position = firstWork(worker);
    from = {
      next: { kind: "run", iteration: 1, position, specId: undefined, again: true },
      ...(judged.isContinued ? { last: await lastWork(worker, held, position), isContinued: true } : {}),
    };
  }
}

async function runAndJudge(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat,
  { from, verifyOnly }: { readonly from: Beginning; readonly verifyOnly: boolean },
): Promise<StepResult<string>> {
  const worked = await runCommands(worker, held, heart, from);
  if (worked.kind !== "go") return worked;
  const done = await tickItems(worker, held, heart, { worked: worked.value, from });
  if (done.kind !== "go") return done;
  const { value: last } = done;
  return last && last.end.verdict.outcome !== "finished"
    ? countFailure(worker, held, last)
    : verifyAndLand(worker, held, heart, { extended: verifyOnly, tree: last?.tree });
}

/**
 * Counts what the agent ticked in its copy of the plan, and reminds it of what it left open. None of that is judged, so
 * no attempt is counted.
 */
async function tickItems(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat,
  { worked, from }: { readonly worked: CommandDone | undefined; readonly from: Beginning },
): Promise<StepResult<CommandDone | undefined>> {
  if (worked && worked.end.verdict.outcome !== "finished") return { kind: "go", value: worked };
  // After a kill it is not known what the agent changed before.
  const isCopy = (file: string) => saysStatus(held.plan, file);
  const mayHaveTicked = worked === undefined || from.last !== undefined || worked.files.some(isCopy);
  let changed = mayHaveTicked && (await adoptTicks(worker, held));
  let ran = worked;
  for (;;) {
    if (worker.interruption.signal() !== undefined) return { kind: "interrupted" };
    const reminded = await remind(worker, held, heart);
    if (reminded === undefined) break;
    const ended = await howItEnded(worker, held, heart, reminded, reminded.agent);
    if (ended) return ended;
    if (isCutOff(reminded.end.verdict)) {
      const refused = await blockAfterKills(worker, held, heart);
      if (refused) return refused;
      continue;
    }
    if (reminded.files.some(isCopy)) changed = (await adoptTicks(worker, held)) || changed;
    // What was done before the reminder stands, however the reminder ended.
    ran = { ...(worked ?? reminded), tree: reminded.tree };
    if (reminded.end.verdict.outcome !== "finished") break;
  }
  if (!changed || ran === undefined) return { kind: "go", value: ran };
  const tree = await (await worker.ports.commits()).tree(worker.session.worktree);
  return { kind: "go", value: { ...ran, tree } };
}

/** A rejected step goes back to the agent that does the work, not to the one that planned it. */
const firstWork = ({ workflow }: Worker): number =>
  Math.max(
    0,
    workflow.commands.findIndex(({ type }) => type === "implement_spec"),
  );

type Beginning = Start &
  Pick<WorkOptions, "known"> & {
    /** Whether the agent continues its conversation although it had come to an end. */
    readonly isContinued?: boolean;
  };

/** Runs commands until they are done or one fails; the answer is the last one that was run. */
async function runCommands(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat,
  { next: from, last, known: before, isContinued: isSameTalk }: Beginning,
): Promise<StepResult<CommandDone | undefined>> {
  let next = from;
  let known = before;
  let cutOff = last;
  let ran: CommandDone | undefined;
  while (next.kind === "run") {
    const { iteration, position, specId } = next;
    if (worker.interruption.signal() !== undefined) return { kind: "interrupted" };
    if (heart.isLost()) return lost(await heart.lost);
    const picked = await pickAgent(worker, held, { position, last: cutOff, isContinued: isSameTalk });
    if (picked.kind === "none") return { kind: "paused", agent: picked.agent, verdict: undefined };
    const { agent } = picked;
    const limit = agent && (await worker.budget?.reached(held));
    if (limit) return { kind: "limit", limit };
    const askedMs = worker.ports.clock.wallMs();
    const due = { next, last: picked.last, agent, isContinued: isSameTalk, held, heart, known };
    const { done, isContinued } = await runWorkflowCommand(worker, due);
    cutOff = undefined;
    known = undefined;
    if (isContinued && neverBegan(done)) continue;
    if (agent && (await isPassedOn(worker, held, heart, { done, agent: agent.name, position }))) {
      cutOff = await lastWork(worker, held);
      next = { ...next, again: true };
      continue;
    }
    const ended = await howItEnded(worker, held, heart, done, agent?.name);
    if (ended) return ended;
    if (isCutOff(done.end.verdict)) {
      const refused = await blockAfterKills(worker, held, heart);
      if (refused) return refused;
      next = { ...next, again: true };
      continue;
    }
    if (done.end.verdict.outcome !== "finished") return { kind: "go", value: done };
    if (agent) worker.pauses.clear(agent.name, askedMs);
    ran = done;
    next = after({ iteration, position, specId: done.specFound ?? specId }, worker.workflow, 1);
  }
  return { kind: "go", value: ran };
}

/** The agent does not know the conversation any more: it is asked anew, and nothing is held against the step. */
const neverBegan = ({ end }: CommandDone): boolean =>
  end.verdict.outcome === "failed" && end.report.sessionId === undefined;

/** Ends after which the same command is begun again at once, by another agent or in the same conversation. */
async function isPassedOn(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat,
  {
    done: { end },
    agent,
    position,
  }: { readonly done: CommandDone; readonly agent: string; readonly position: number },
): Promise<boolean> {
  if (heart.isLost() || wasCut(worker, heart, end)) return false;
  const { outcome } = end.verdict;
  if (outcome === "silent") return (await silentStarts(worker, held)) < MOST_SILENT;
  return PASSED_ON.has(outcome) && passToNextAgent(worker, held, agent, { position });
}

const PASSED_ON: ReadonlySet<ExitOutcome> = new Set<ExitOutcome>(["limited", "unauthorised"]);

/** An agent that falls silent is resumed once. The checkpoints count, so a kill in between gives it no more turns. */
const MOST_SILENT = 2;

async function silentStarts(
  { ports }: Worker,
  { plan: plan_path, anchor, claim }: ClaimedStep,
): Promise<number> {
  const database = await ports.database();
  const rows = await database.read((sql) => sql.all(listStepCheckpoints, { plan_path, anchor, most: 1000 }));
  const work = rows.filter((row) => row.position >= 0 && row.claim === claim);
  return work.length - 1 - work.findLastIndex(({ outcome }) => outcome !== "silent");
}

/** Ends that are not about the quality of the work; undefined when the work is to be judged. */
async function howItEnded(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat,
  { end }: CommandDone,
  agent: string | undefined,
): Promise<StepEnd | undefined> {
  if (heart.isLost()) return lost(await heart.lost);
  if (wasCut(worker, heart, end)) return { kind: "interrupted" };
  const { outcome } = end.verdict;
  if (PAUSES.has(outcome) && agent !== undefined) return { kind: "paused", agent, verdict: end.verdict };
  if (outcome !== "timed_out" && outcome !== "silent") return undefined;
  const what = outcome === "silent" ? "printed nothing and changed no file, twice" : "did not end in time";
  const note = `The agent ${what}; its log is ${end.log.path}.`;
  return blockStep(worker, held, heart, { reason: "agent_timeout", note, said: lastWords(end) });
}

function endWords(verdict: ExitVerdict): string {
  if (verdict.outcome === "killed") return `was killed (${verdict.signal})`;
  return verdict.outcome === "failed" ? "failed" : `ended: ${verdict.outcome.replaceAll("_", " ")}`;
}

/** An agent that failed has used up an attempt: its output is the evidence. */
async function countFailure(
  worker: Worker,
  held: ClaimedStep,
  { command, end, tree }: CommandDone,
): Promise<StepResult<string>> {
  const attempt = await beginAttempt(worker, held, { tree, counts: true });
  if (attempt === undefined) return escalate(worker, held);
  const evidence = [evidenceOf(AGENT_CHECK, "failed", end, tree)];
  const code = end.exitCode === undefined ? "" : `, exit code ${end.exitCode}`;
  const because = `the agent ${endWords(end.verdict)}${code}`;
  return reject(worker, held, attempt, {
    because,
    evidence,
    tree,
    command,
    reason: "agent_failed",
    said: lastWords(end),
  });
}

const MOST_WORDS = 5;

/** As much of what an agent said last as people read. */
const lastWords = ({ lastLines }: CommandDone["end"]): readonly string[] =>
  lastLines.filter((line) => line.trim() !== "").slice(-MOST_WORDS);
