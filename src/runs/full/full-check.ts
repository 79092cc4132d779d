import { fromInstant, plural } from "../../domain/index.ts";
import { findSession, isStoppedRunner } from "../../sessions/index.ts";
import { journal } from "../../journal/index.ts";
import type { Sql } from "../../platform/ports/index.ts";
import { type FullState, fullStateOf, leftWords } from "../../verification/index.ts";
import { sleepUnlessInterrupted } from "../assign/wait-for-agent.ts";
import type { LoopEnd } from "../finish/run-answer.ts";
import { workerEntry, type Worker } from "../work/worker.ts";
import { findCulprit, fullVerdict } from "./find-culprit.ts";
import { type LandedTrees, landedTrees } from "./landed-trees.ts";

/** `begin`: before the first step of a worker. `landed`: after a step. `end`: all steps are completed. */
type Moment = "begin" | "landed" | "end";

const LOOK_MS = 250;

/**
 * Runs the full check on what has landed, where it is due, and finds the step that broke it.
 *
 * One worker does it, whichever comes first; the others continue, and wait for it only at the end. Undefined: the worker
 * continues.
 */
export async function fullCheck(worker: Worker, moment: Moment): Promise<LoopEnd | undefined> {
  const { full } = worker.settings.verify;
  if (full === undefined || worker.plan === undefined || worker.only !== undefined) return undefined;
  for (;;) {
    if (worker.interruption.signal() !== undefined) return { kind: "interrupted" };
    const [landed, state] = [await landedTrees(worker), await stateOf(worker)];
    if (landed === undefined) return undefined;
    const { failure } = state;
    const known = landed.verdicts.get(landed.tip.tree);
    if (known === "passed") return failure && endWithPass(worker, landed);
    if (failure !== undefined && isSame(failure, landed, moment))
      return failure.isLeft ? warnOfLeft(worker, failure, moment) : failed(failure);
    if (!isDue(worker, { landed, state, moment, isKnown: known !== undefined })) return undefined;
    if (await begin(worker, landed)) return runFull(worker, landed, state);
    if (moment !== "end") return undefined;
    await sleepUnlessInterrupted(worker, LOOK_MS);
  }
}

const stateOf = async ({ ports, plan }: Worker): Promise<FullState> =>
  (await ports.database()).read((sql) => fullStateOf(sql, plan!));

/** A worker in the middle of a run does not try again what a person has to decide; the next run does, on other files. */
const isSame = (
  { tree, isLeft }: NonNullable<FullState["failure"]>,
  { tip }: LandedTrees,
  moment: Moment,
): boolean => tree === tip.tree || (moment === "landed" && !isLeft);

interface Due {
  readonly landed: LandedTrees;
  readonly state: FullState;
  readonly moment: Moment;
  /** Whether the tip has failed before, and was never blamed on a step: a kill cut that off. */
  readonly isKnown: boolean;
}

function isDue({ settings }: Worker, { landed, state, moment, isKnown }: Due): boolean {
  if (moment === "end" || state.begun !== undefined) return true;
  if (isKnown) return state.settled !== landed.tip.tree;
  if (state.failure !== undefined && !state.failure.isLeft) return true;
  return landed.sinceVerdict >= (settings.verify.fullEvery ?? Infinity);
}

const failed = (failure: NonNullable<FullState["failure"]>): LoopEnd => ({
  kind: "full-failed",
  because: failure.found,
  culprit: failure.culprit,
});

/** Left by a person: it stays visible and stops nothing. */
function warnOfLeft(
  worker: Worker,
  { found, culprit }: NonNullable<FullState["failure"]>,
  moment: Moment,
): undefined {
  if (moment === "end") worker.warn(culprit.anchor ?? worker.plan!, leftWords(found));
  return undefined;
}

/** Says in the journal that this worker checks; false while another one does. */
async function begin(worker: Worker, { branch, tip }: LandedTrees): Promise<boolean> {
  const { plan, session, settings } = worker;
  const database = await worker.ports.database();
  return database.write(async (sql) => {
    const { begun } = await fullStateOf(sql, plan!);
    if (begun && begun.session !== session.id && (await isAtWork(worker, sql, begun))) return false;
    const check = settings.verify.full!.join(" ");
    await record(sql, worker, "full-begun", { branch, check, tip: tip.commit, tree: tip.tree });
    return true;
  });
}

/**
 * A session that is gone has not ended what it began, and one that is stopped does not for now. Of another machine's
 * session nothing is proven here, so it has as long as a full check may take.
 */
async function isAtWork(
  { ports, settings }: Worker,
  sql: Sql,
  { session: id, at }: NonNullable<FullState["begun"]>,
): Promise<boolean> {
  const life = id === null ? "free" : ports.lifelines.look(id);
  const session = id === null ? undefined : await sql.get(findSession, { id });
  if (life === "free" || session?.status !== "in_progress" || isStoppedRunner(ports, session)) return false;
  return life === "held" || fromInstant(sql.now) - fromInstant(at) < settings.verify.fullTimeoutMs;
}

const record = (
  sql: Sql,
  worker: Worker,
  event: "full-begun" | "full-passed" | "full-failed" | "full-stopped",
  detail: Readonly<Record<string, unknown>>,
): Promise<void> => journal(sql, { event, plan: worker.plan!, ...workerEntry(worker, undefined), detail });

async function endWithPass(worker: Worker, { branch, tip }: LandedTrees): Promise<undefined> {
  const database = await worker.ports.database();
  const detail = { branch, tip: tip.commit, tree: tip.tree };
  await database.write((sql) => record(sql, worker, "full-passed", detail));
  return undefined;
}

async function runFull(worker: Worker, landed: LandedTrees, state: FullState): Promise<LoopEnd | undefined> {
  const database = await worker.ports.database();
  const stopped = (why: string) =>
    database.write((sql) => record(sql, worker, "full-stopped", { tree: landed.tip.tree, why }));
  try {
    const check = worker.settings.verify.full!.join(" ");
    const at = landed.tip.commit.slice(0, 12);
    const what = plural(landed.commits.length - 1, "landing");
    worker.report({ event: "note", text: `full check: ${check} on ${at} (${what})` });
    const verdict = await fullVerdict(worker, landed.tip);
    if (verdict?.outcome === "passed") {
      worker.report({ event: "note", text: `full check: ${check} passed on ${at}` });
      return await endWithPass(worker, landed);
    }
    const failure = verdict && (await findCulprit(worker, landed));
    if (failure === undefined) {
      await stopped("it was stopped before it had answered");
      return { kind: "interrupted" };
    }
    await database.write((sql) => record(sql, worker, "full-failed", { ...failure }));
    worker.report({ event: "note", text: `full check: ${failure.found}` });
    const isLeft = state.left.has(failure.culprit.commit);
    const seen = { ...failure, at: "", isLeft };
    return isLeft ? warnOfLeft(worker, seen, "end") : failed(seen);
  } catch (error) {
    await stopped(error instanceof Error ? error.message : String(error)).catch(() => undefined);
    throw error;
  }
}
