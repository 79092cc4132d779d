import { Failure, orNothing, scopeOf, toInstant } from "../../domain/index.ts";
import type { Heartbeat } from "../../platform/ports/index.ts";
import { savedStep } from "../../plans/index.ts";
import { ownEvidence } from "../../verification/index.ts";
import { beginAttempt, isLoss, takeBack } from "../verify/attempt.ts";
import { blockStep } from "./block-step.ts";
import { escalate, reject } from "../verify/reject.ts";
import { type StepResult, lost, type StepEnd } from "./step-end.ts";
import { type ClaimedStep, keptWorkOf } from "../../steps/index.ts";
import type { Worker } from "../work/worker.ts";

/**
 * Gives work back whose files git cannot take, with what git said: the agent put them there, and can put them right.
 *
 * Any other failure is thrown to the caller. It counts as an attempt, so that an agent that never corrects them stops.
 */
export async function giveBackWork(
  worker: Worker,
  held: ClaimedStep,
  error: unknown,
): Promise<StepResult<string>> {
  if (!(error instanceof Failure) || scopeOf(error) !== "work") throw error;
  if (worker.interruption.signal() !== undefined) return { kind: "interrupted" };
  const { ports } = worker;
  const database = await ports.database();
  const { status } = await database.read((sql) => savedStep(sql, held.plan, held.anchor));
  // Found only when its verification was over: that attempt is counted already.
  const isCounted = status === "awaiting_verification";
  if (isCounted) await takeBack(worker, held);
  const attempt = await beginAttempt(worker, held, { tree: undefined, counts: !isCounted });
  if (attempt === undefined) return escalate(worker, held, error.message, { reason: "not_committable" });
  const evidence = ownEvidence({
    checked: "git add",
    outcome: "failed",
    output: [error.message, ...saidBy(error), error.hint].join("\n"),
    tree: "",
    at: toInstant(ports.clock.wallMs()),
  });
  const because = `the files cannot be committed: ${error.message.replace(/\.$/, "")}`;
  return reject(worker, held, attempt, {
    because,
    evidence: [evidence],
    tree: undefined,
    reason: "not_committable",
  });
}

const saidBy = ({ details }: Failure): readonly string[] => {
  const lines = details["stderr"] ?? details["output"];
  return Array.isArray(lines) ? lines.map(String) : [];
};

/** Where the worktree itself was deleted, only what a snapshot kept is left. */
async function whereItsFilesAre(worker: Worker, held: ClaimedStep, hint: string): Promise<string> {
  const { ports, session } = worker;
  const { path } = session.worktree;
  if (ports.files.exists(path)) return `Its files are in ${path}${await saveFiles(worker, held)}. ${hint}`;
  const database = await ports.database();
  const kept = await database.read((sql) => keptWorkOf(sql, held.plan, held.anchor));
  const saved =
    kept === undefined
      ? "No snapshot of this step was taken before"
      : `The last snapshot of this step is ${kept.ref}`;
  return `Its uncommitted files are gone with that folder. ${saved}. Retry the step: the next run makes the worktree again from its branch.`;
}

/** In a snapshot too, where one can be taken: the next step may need the worktree. */
async function saveFiles({ ports, session }: Worker, { anchor }: ClaimedStep): Promise<string> {
  try {
    const snapshot = await (
      await ports.snapshots()
    ).take(session.worktree, `${anchor}: could not be finished`);
    return snapshot === undefined ? "" : ` and in ${snapshot.ref}`;
  } catch (error) {
    orNothing(error);
    return "";
  }
}

/**
 * Ends the work on a step that a failure has ended, so that the run and its other workers continue.
 *
 * What the agent made stays in its worktree, which the next step leaves alone or saves. A failure that the next step
 * would meet too ends the run instead: blocked for it, step after step would wait for a person.
 */
export async function endWithFailure(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat,
  error: unknown,
): Promise<StepEnd> {
  if (isLoss(error)) return { kind: "lost", because: error.message };
  if (!(error instanceof Failure) || scopeOf(error) === "run") throw error;
  if (heart.isLost()) return lost(await heart.lost);
  // Ctrl-C in a terminal reaches git as well.
  if (worker.interruption.signal() !== undefined) return { kind: "interrupted" };
  const { code, message } = error;
  const note = `${code} ${message} ${await whereItsFilesAre(worker, held, error.hint)}`;
  try {
    return await blockStep(worker, held, heart, {
      reason: "step_failed",
      note,
      check: `${code} (${error.problem})`,
      said: saidBy(error).slice(0, 5),
    });
  } catch (refusal) {
    if (isLoss(refusal)) return { kind: "lost", because: refusal.message };
    throw refusal;
  }
}
