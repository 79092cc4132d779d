import { Failure } from "../../domain/errors.ts";
import { type ExitVerdict, PAUSES } from "../../domain/exit-verdict.ts";
import { after } from "../../domain/next-position.ts";
import type { Heart } from "../../ports/hearts.ts";
import { beginAttempt, endAttempt, isLoss, takeBack } from "./attempt.ts";
import { blockStep, type BlockReason } from "./block-step.ts";
import { lastFreshClaim } from "../../store/statements/last-fresh-claim.ts";
import { listVerdicts } from "../../store/statements/list-verdicts.ts";
import { type Evidence, MOST_ATTEMPTS, type Verdict } from "./evidence.ts";
import { conversationOf } from "./conversation.ts";
import { finishStep } from "./finish-step.ts";
import { promptFor } from "./prompt-for.ts";
import { chooseAgent, type CommandDone, runCommand } from "./run-command.ts";
import { evidenceOf, verifyStep, wasCut } from "./verify-step.ts";
import { type Start, whereToStart } from "./where-to-start.ts";
import type { Held, Worker } from "./worker.ts";

/** How the work on one step ended. */
export type StepEnd =
  | { readonly kind: "completed"; readonly commit: string }
  | { readonly kind: "blocked"; readonly reason: BlockReason; readonly note: string }
  /** Somebody else has the step. */
  | { readonly kind: "lost"; readonly because: string }
  | { readonly kind: "interrupted" }
  | Paused;

/** The agent cannot work now, through no fault of the step's. */
export interface Paused {
  readonly kind: "paused";
  readonly agent: string;
  /** What it said; undefined where another worker has heard it, and this one did not even ask. */
  readonly verdict: ExitVerdict | undefined;
}

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
  let from: Start = verifyOnly ? { next: { kind: "done" } } : await whereToStart(worker, held);
  for (;;) {
    const done = await runCommands(worker, held, heart, from);
    if (done.kind !== "go") return done;
    const { value: last } = done;
    const judged =
      last && last.end.verdict.outcome !== "finished"
        ? await countFailure(worker, held, last)
        : await judge(worker, held, heart, { extended: verifyOnly, tree: last?.tree });
    if (judged.kind !== "go") return judged;
    if (verifyOnly) return { kind: "blocked", reason: "verification_escalated", note: judged.value };
    from = {
      next: { kind: "run", iteration: 1, position: firstWork(worker), specId: undefined, again: true },
    };
  }
}

/** A rejected step goes back to whoever does the work, not to whoever planned it. */
const firstWork = ({ workflow }: Worker): number =>
  Math.max(
    0,
    workflow.commands.findIndex(({ type }) => type === "implement_spec"),
  );

/** Runs commands until they are done or one fails; the answer is the last one that was run. */
async function runCommands(
  worker: Worker,
  held: Held,
  heart: Heart,
  { next: from, last }: Start,
): Promise<Go<CommandDone | undefined>> {
  let next = from;
  let cutOff = last;
  let ran: CommandDone | undefined;
  while (next.kind === "run") {
    const { iteration, position, specId, again } = next;
    const command = worker.workflow.commands[position]!;
    const agent = "argv" in command.work ? undefined : chooseAgent(worker, command.agent);
    if (worker.interruption.signal() !== undefined) return { kind: "interrupted" };
    if (heart.isLost()) return lost(await heart.lost);
    if (agent && worker.pauses.current(agent.name, worker.ports.clock.wallMs()))
      return { kind: "paused", agent: agent.name, verdict: undefined };
    const place = { iteration, position, specId };
    const askedMs = worker.ports.clock.wallMs();
    const conversation = again ? conversationOf(cutOff, agent) : undefined;
    cutOff = undefined;
    const done = await runCommand(worker, {
      command,
      place,
      held,
      agent,
      argv: "argv" in command.work ? command.work.argv : undefined,
      prompt: await promptFor(worker, command, held, place),
      conversation,
      heart,
      again,
    });
    if (conversation !== undefined && neverBegan(done)) continue;
    const ended = await howItEnded(worker, held, heart, done, agent?.name);
    if (ended) return ended;
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
  if (PAUSES.has(outcome) && agent !== undefined) return { kind: "paused", agent, verdict: end.verdict };
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

/** Whoever was killed between the verdict and the commit has its work judged already, as long as it is the same. */
async function passedBefore(
  { ports }: Worker,
  { plan, anchor }: Held,
  tree: string,
): Promise<Verdict | undefined> {
  const database = await ports.database();
  const { last, fresh } = await database.read(async (sql) => ({
    last: (await sql.all(listVerdicts, { plan_path: plan, anchor })).at(-1),
    fresh: (await sql.get(lastFreshClaim, { plan_path: plan, anchor }))?.claim ?? 0,
  }));
  // A step that was put back or reopened since is judged anew.
  if (last?.outcome !== "passed" || last.tree !== tree || (last.claim ?? 0) < fresh) return undefined;
  const evidence = JSON.parse(last.evidence) as readonly Evidence[];
  return { outcome: "passed", because: last.because, evidence, tree };
}

/** How often a tree is verified that is another one afterwards. */
const MOST_ROUNDS = 3;
const NEVER_STILL =
  "its files change each time they are verified, so that nothing is ever verified as it is: let the check write elsewhere, or have git ignore what it writes";

/** Verifies and, when it passes, commits and completes. `go` means that the work goes back, and says why. */
export async function judge(
  worker: Worker,
  held: Held,
  heart: Heart,
  { extended, tree: left }: { readonly extended: boolean; readonly tree: string | undefined },
): Promise<Go<string>> {
  const commits = await worker.ports.commits();
  for (let round = 1; ; round += 1) {
    const counts = round === 1;
    // What the last command left is known; after a verdict that came to nothing it must be looked at.
    const tree = (counts ? left : undefined) ?? (await commits.tree(worker.session.worktree));
    const passed = counts ? await passedBefore(worker, held, tree) : undefined;
    if (passed) {
      const finish = await finishStep(worker, held, passed);
      if (finish.kind === "completed") return finish;
    }
    const attempt = await beginAttempt(worker, held, { tree, counts });
    if (attempt === undefined) return escalate(worker, held);
    worker.tell({ event: "verifying", step: held.anchor, attempt });
    const seen = await verifyStep(worker, held, heart, { tree, extended });
    if (heart.isLost()) return lost(await heart.lost);
    if (seen.kind !== "verdict") await uncount(worker, held);
    if (seen.kind === "cut") return { kind: "interrupted" };
    if (seen.kind === "paused") return seen;
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
        // Ctrl-C in a terminal reaches git and its hooks as well, and that is no judgement.
        if (worker.interruption.signal() !== undefined) {
          await uncount(worker, held);
          return { kind: "interrupted" };
        }
        return backFromCommit(worker, held, finish.said);
      case "changed":
        if (round === MOST_ROUNDS) return block(worker, held, heart, "verification_escalated", NEVER_STILL);
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
  const tree = await (await worker.ports.commits()).tree(worker.session.worktree);
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
  const because = `the commit was refused: ${said.split("\n").find((line) => line.trim() !== "") ?? ""}`;
  return reject(worker, held, attempt, { because, evidence: [evidence], tree });
}
