import { Failure } from "../../domain/errors.ts";
import { PAUSES } from "../../domain/exit-verdict.ts";
import { after, type Next, nextPosition } from "../../domain/next-position.ts";
import type { Heart } from "../../ports/hearts.ts";
import type { SupervisedEnd } from "../../ports/supervisor.ts";
import { lastCheckpoint } from "../../store/statements/last-checkpoint.ts";
import { lastFreshClaim } from "../../store/statements/last-fresh-claim.ts";
import { beginAttempt, endAttempt, isLoss, takeBack } from "./attempt.ts";
import { blockStep, type BlockReason } from "./block-step.ts";
import { type Evidence, MOST_ATTEMPTS } from "./evidence.ts";
import { finishStep } from "./finish-step.ts";
import { positionOf } from "./position-of.ts";
import { promptFor } from "./prompt-for.ts";
import { chooseAgent, type CommandDone, runCommand } from "./run-command.ts";
import { evidenceOf, verifyStep, wasCut } from "./verify-step.ts";
import type { Held, Worker } from "./worker.ts";

/** How the work on one step ended. */
export type StepEnd =
  | { readonly kind: "completed"; readonly commit: string }
  | { readonly kind: "blocked"; readonly reason: BlockReason; readonly note: string }
  /** Somebody else has the step. */
  | { readonly kind: "lost"; readonly because: string }
  | { readonly kind: "interrupted" }
  /** The agent cannot work now, through no fault of the step's. */
  | { readonly kind: "paused"; readonly end: SupervisedEnd; readonly agent: string };

/** `go`: the work goes on, with what is said. */
export type Go<T> = { readonly kind: "go"; readonly value: T } | StepEnd;

/**
 * One step, from its claim to its end: the workflow's commands, verification, commit, completion.
 *
 * Work that verification rejects goes back to the first command that does work, with the evidence, until it passes or
 * the step has used up its attempts.
 */
export async function workStep(
  worker: Worker,
  held: Held,
  options: { readonly verifyOnly?: boolean } = {},
): Promise<StepEnd> {
  const { running, config, session } = worker;
  const heart = running.hearts.start({
    plan: worker.operand ?? held.plan,
    step: held.anchor,
    worktree: session.worktree.path,
    claim: held.claim,
    session: session.id,
    leaseSeconds: config.leaseSeconds,
    graceMs: config.graceMs,
  });
  try {
    return await work(worker, held, heart, options.verifyOnly ?? false);
  } catch (error) {
    if (!isLoss(error)) throw error;
    return { kind: "lost", because: error.message };
  } finally {
    await heart.stop();
  }
}

async function work(worker: Worker, held: Held, heart: Heart, verifyOnly: boolean): Promise<StepEnd> {
  let from: Next = verifyOnly ? { kind: "done" } : await whereToStart(worker, held);
  for (;;) {
    const done = await runCommands(worker, held, heart, from);
    if (done.kind !== "go") return done;
    const failed = done.value;
    const judged = failed
      ? await countFailure(worker, held, failed)
      : await judge(worker, held, heart, verifyOnly);
    if (judged.kind !== "go") return judged;
    if (verifyOnly) return { kind: "blocked", reason: "verification_escalated", note: judged.value };
    from = { kind: "run", iteration: 1, position: firstWork(worker), specId: undefined, again: true };
  }
}

/** A rejected step goes back to whoever does the work, not to whoever planned it. */
const firstWork = ({ workflow }: Worker): number =>
  Math.max(
    0,
    workflow.commands.findIndex(({ type }) => type === "implement_spec"),
  );

/** Where an earlier session got to with this step in this worktree; else the beginning. */
async function whereToStart(worker: Worker, held: Held): Promise<Next> {
  const { ports, workflow, session } = worker;
  const database = await ports.database();
  const { last, fresh } = await database.read(async (sql) => {
    const step = { plan_path: held.plan, anchor: held.anchor };
    return {
      last: await sql.get(lastCheckpoint, { ...step, worktree_id: session.worktree.id }),
      fresh: (await sql.get(lastFreshClaim, step))?.claim ?? 0,
    };
  });
  const bounds = { workflow, maxIterations: 1 };
  const begun = nextPosition(undefined, bounds);
  // A step that was put back or reopened since is done from its beginning.
  if (last === undefined || (last.claim ?? 0) < fresh) return begun;
  const next = nextPosition(positionOf(last), bounds);
  if (next.kind !== "mismatch") return next;
  worker.tell({ event: "note", text: `${held.anchor} starts anew: ${next.because}` });
  return begun;
}

/** Runs commands until they are done or one fails; the answer is the one that failed. */
async function runCommands(
  worker: Worker,
  held: Held,
  heart: Heart,
  from: Next,
): Promise<Go<CommandDone | undefined>> {
  let next = from;
  while (next.kind === "run") {
    const { iteration, position, specId, again } = next;
    const command = worker.workflow.commands[position]!;
    const agent = "argv" in command.work ? undefined : chooseAgent(worker, command.agent);
    const paused = agent && worker.pauses.until(agent.name) > worker.ports.clock.wallMs();
    if (worker.interruption.signal() !== undefined) return { kind: "interrupted" };
    if (heart.isLost()) return lost(await heart.lost);
    if (paused) await waitFor(worker, agent.name);
    const place = { iteration, position, specId };
    const done = await runCommand(worker, {
      command,
      place,
      held,
      agent,
      argv: "argv" in command.work ? command.work.argv : undefined,
      prompt: await promptFor(worker, command, held, place),
      heart,
      again,
    });
    const ended = await howItEnded(worker, held, heart, done, agent?.name);
    if (ended) return ended;
    if (done.end.verdict.outcome !== "finished") return { kind: "go", value: done };
    if (agent) worker.pauses.clear(agent.name);
    next = after({ iteration, position, specId: done.specFound ?? specId }, worker.workflow, 1);
  }
  return { kind: "go", value: undefined };
}

async function waitFor({ pauses, running, ports, interruption }: Worker, agent: string): Promise<void> {
  const wake = new AbortController();
  const deafen = interruption.listen(() => wake.abort());
  await running.nap(Math.max(0, pauses.until(agent) - ports.clock.wallMs()), wake.signal);
  deafen();
}

const lost = ({ because }: { readonly because: string }): StepEnd => ({ kind: "lost", because });

/** Ends that are not about the quality of the work; undefined when the work is to be judged. */
async function howItEnded(
  worker: Worker,
  held: Held,
  heart: Heart,
  { end }: CommandDone,
  agent: string | undefined,
): Promise<StepEnd | undefined> {
  if (heart.isLost()) return lost(await heart.lost);
  if (wasCut(worker, heart, end)) return { kind: "interrupted" };
  const { outcome } = end.verdict;
  if (PAUSES.has(outcome) && agent !== undefined) return { kind: "paused", end, agent };
  if (outcome !== "timed_out") return undefined;
  const note = `The agent did not end in time; its log is ${end.log.path}.`;
  return block(worker, held, heart, "agent_timeout", note);
}

async function block(
  worker: Worker,
  held: Held,
  heart: Heart | undefined,
  reason: BlockReason,
  note: string,
): Promise<StepEnd> {
  // The number rises with the block, and a heart that still beats would take that for a loss.
  await heart?.stop();
  await blockStep(worker, held, reason, note);
  worker.tell({ event: "blocked", step: held.anchor, reason, note });
  return { kind: "blocked", reason, note };
}

/** An agent that failed has used up an attempt: its output is the evidence. */
async function countFailure(worker: Worker, held: Held, { end, tree }: CommandDone): Promise<Go<string>> {
  const attempt = await beginAttempt(worker, held, { tree, counts: true });
  if (attempt === undefined) return escalate(worker, held);
  const evidence = [evidenceOf("the agent's own end", "failed", end, tree)];
  const because = `the agent ended with ${end.verdict.outcome}${end.exitCode === undefined ? "" : `, exit code ${end.exitCode}`}`;
  return reject(worker, held, attempt, { because, evidence, tree });
}

async function reject(
  worker: Worker,
  held: Held,
  attempt: number,
  { because, evidence, tree }: { because: string; evidence: readonly Evidence[]; tree: string },
): Promise<Go<string>> {
  await endAttempt(worker, held, attempt, { outcome: "failed", because, evidence, tree });
  worker.tell({ event: "verdict", step: held.anchor, attempt, outcome: "failed", because });
  return (await isUsedUp(worker, held)) ? escalate(worker, held, because) : { kind: "go", value: because };
}

async function isUsedUp({ ports }: Worker, { plan, anchor }: Held): Promise<boolean> {
  const { stepOf } = await import("../plan-state.ts");
  const database = await ports.database();
  const step = await database.read((sql) => stepOf(sql, plan, anchor));
  return step.verification_attempts >= MOST_ATTEMPTS;
}

const escalate = (
  worker: Worker,
  held: Held,
  because = "verification never came to an end",
): Promise<StepEnd> =>
  block(
    worker,
    held,
    undefined,
    "verification_escalated",
    `${MOST_ATTEMPTS} attempts failed; the last: ${because}`,
  );

/** Verifies and, when it passes, commits and completes. `go` means that the work goes back, and says why. */
export async function judge(
  worker: Worker,
  held: Held,
  heart: Heart,
  extended: boolean,
): Promise<Go<string>> {
  const commits = await worker.ports.commits();
  for (let counts = true; ; counts = false) {
    const { tree } = await commits.tree(worker.session.worktree);
    const attempt = await beginAttempt(worker, held, { tree, counts });
    if (attempt === undefined) return escalate(worker, held);
    worker.tell({ event: "verifying", step: held.anchor, attempt });
    const seen = await verifyStep(worker, held, heart, { extended });
    if (heart.isLost()) return lost(await heart.lost);
    if (seen.kind !== "verdict") await uncount(worker, held);
    if (seen.kind === "cut") return { kind: "interrupted" };
    if (seen.kind === "paused") return { kind: "paused", end: seen.end, agent: seen.agent };
    const { verdict } = seen;
    if (verdict.outcome === "failed") return reject(worker, held, attempt, verdict);
    await endAttempt(worker, held, attempt, verdict);
    worker.tell({
      event: "verdict",
      step: held.anchor,
      attempt,
      outcome: verdict.outcome,
      because: verdict.because,
    });
    if (verdict.outcome === "timed_out")
      return block(worker, held, heart, "verification_timeout", verdict.because);
    const finish = await finishStep(worker, held, verdict);
    switch (finish.kind) {
      case "completed":
        return finish;
      case "conflict": {
        const note = `${finish.said} Its commit ${finish.commit.slice(0, 12)} is kept.`;
        await keepCommit(worker, held, finish.commit);
        return block(worker, held, heart, "merge_conflict", note);
      }
      case "refused":
        return backFromCommit(worker, held, finish.said);
      case "changed":
        await takeBack(worker, held);
    }
  }
}

/** A judge that could not be asked, or was cut off, has not judged: the attempt is given back with the step. */
async function uncount(worker: Worker, held: Held): Promise<void> {
  const { uncountAttempt } = await import("../../store/statements/uncount-attempt.ts");
  await takeBack(worker, held);
  const database = await worker.ports.database();
  await database.write((sql) =>
    sql.run(uncountAttempt, { plan_path: held.plan, anchor: held.anchor, claim: held.claim }),
  );
}

/** The branch it is on is made anew for the next step, so the commit gets a name of its own. */
async function keepCommit({ ports }: Worker, { anchor }: Held, commit: string): Promise<void> {
  if (commit !== "") await (await ports.branches()).rescue(anchor, commit);
}

/** A hook that refuses is evidence like a failed check, and the agent hears of it. */
async function backFromCommit(worker: Worker, held: Held, said: string): Promise<Go<string>> {
  await takeBack(worker, held);
  const { tree } = await (await worker.ports.commits()).tree(worker.session.worktree);
  const attempt = await beginAttempt(worker, held, { tree, counts: false });
  if (attempt === undefined)
    throw new Failure("internal/bug", "An attempt that does not count was refused.", {});
  const evidence: Evidence = {
    checked: "git commit",
    outcome: "failed",
    exitCode: null,
    durationMs: 0,
    output: said,
    tree,
    at: new Date(worker.ports.clock.wallMs()).toISOString(),
  };
  return reject(worker, held, attempt, { because: "the commit was refused", evidence: [evidence], tree });
}
