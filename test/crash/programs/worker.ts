import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { compose } from "../../../src/compose.ts";
import { Failure } from "../../../src/domain/errors.ts";
import { pawlOn } from "../../../src/api.ts";
import { type Neutralised, neutralise } from "../../support/neutralise.ts";
import { watchSql } from "../../support/lowest-ports.ts";
import { programInput } from "../../support/program-input.ts";
import { seededRandom } from "../../support/random.ts";
import { IDLE, IN_TRANSACTION, WAITING } from "../../support/worker-flag.ts";
import { dropCutOff, type LogLine, readLog } from "../../support/worker-log.ts";

/**
 * A worker that never ends: claims, starts, ticks, beats, completes, gives back.
 *
 * What it asks and what it hears goes to a log of its own; the answer is on disk before the next call is made. It may
 * be killed at any moment. Started again, it first repeats the call whose answer it did not get.
 */
export interface WorkerInput {
  readonly name: string;
  readonly cwd: string;
  readonly worktree: string;
  readonly plan: string;
  readonly steps: number;
  readonly log: string;
  /** One byte: what this process was doing when it was killed. */
  readonly flag: string;
  readonly seed: number;
  /** Works in supervised sessions, so that others may take its step the moment it dies. */
  readonly session: boolean;
  /** Stops by itself after so many answers; 0 to go on until the end of the plan. */
  readonly most: number;
  /** What is taken out of the SQL, to see whether a check notices. */
  readonly broken?: Neutralised;
}

const input = programInput() as WorkerInput;
const random = seededRandom(input.seed);
dropCutOff(input.log);
const log = openSync(input.log, "a");
const flag = openSync(input.flag, "w");
const mark = (state: number) => writeSync(flag, Uint8Array.of(state), 0, 1, 0);
const nowMs = () => Number(process.hrtime.bigint()) / 1e6;

mark(IDLE);
const { rewrite, assertUsed } = neutralise(input.broken);
watchSql({
  before(effect) {
    if (effect === "exec begin immediate") mark(WAITING);
  },
  after(effect) {
    if (effect === "exec begin immediate") mark(IN_TRANSACTION);
    else if (effect === "exec commit" || effect === "exec rollback") mark(IDLE);
  },
  rewrite,
});

const pawl = pawlOn(await compose({ cwd: input.cwd, env: process.env }));
let session: string | undefined;
let answers = 0;
let calls = 0;
const life = `${input.name}-${process.pid}-${Math.round(nowMs())}`;

/** Refusals that are part of life among rivals; anything else a worker hears is a fault. */
const EXPECTED = new Set(["E049", "E050", "E075", "E076", "E079"]);

type Verb = "claim" | "start" | "heartbeat" | "update" | "complete" | "release" | "reopen";

async function call(
  verb: Verb,
  request: Readonly<Record<string, unknown>>,
  again = false,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const id = `${life}-${(calls += 1)}`;
  const write = (line: LogLine) => writeSync(log, `${JSON.stringify(line)}\n`);
  write({
    told: "asked",
    id,
    worker: input.name,
    worktree: input.worktree,
    verb,
    again,
    request,
    at: nowMs(),
  });
  const heard = (line: Omit<Extract<LogLine, { told: "heard" }>, "told" | "id" | "at">) => {
    write({ told: "heard", id, at: nowMs(), ...line });
    fsyncSync(log);
    answers += 1;
  };
  try {
    const answer = (await (pawl[verb] as (request: object) => Promise<object>)(request)) as Readonly<
      Record<string, unknown>
    >;
    heard({
      ok: true,
      anchor: answer["anchor"] as string | undefined,
      claim: answer["claim"] as number | undefined,
    });
    return answer;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    heard({ ok: false, code: error.code, unexpected: EXPECTED.has(error.code) ? undefined : error.message });
    return undefined;
  }
}

/** The answer that a former life of this worker did not live to hear. */
async function askAgain(): Promise<void> {
  const last = readLog(input.log).at(-1);
  // A session belongs to a process; who asks in its name after its death asks something else.
  if (
    last?.told !== "asked" ||
    last.request["requestId"] === undefined ||
    last.request["session"] !== undefined
  )
    return;
  await call(last.verb as Verb, last.request, true);
}

async function work(plan: string, worktree: string): Promise<boolean> {
  const requestId = () => `${life}-r${calls}`;
  const claimed = await call("claim", {
    plan,
    worktree,
    session,
    // Short, so that a slow worker loses its step to others now and then.
    leaseSeconds: session === undefined ? 0.02 + random.next() * 0.2 : undefined,
    force: random.chance(0.03),
    ...(session === undefined ? { requestId: requestId() } : {}),
  });
  if (!claimed) return true;
  if (claimed["allCompleted"] === true) return reopenSome(plan);
  if (claimed["anchor"] === null) {
    await pause(2);
    return true;
  }
  const who = {
    plan,
    worktree,
    step: claimed["anchor"] as string,
    claim: claimed["claim"] as number,
    session,
  };
  const repeatable = () => ({ ...who, ...(session === undefined ? { requestId: requestId() } : {}) });
  if (!(await call("start", repeatable()))) return true;
  if (random.chance(0.3))
    await call("heartbeat", { ...who, leaseSeconds: session === undefined ? 0.1 : undefined });
  if (random.chance(0.1)) await pause(random.below(60));
  if (!(await call("update", { ...repeatable(), changes: [{ all: true, status: "completed" }] })))
    return true;
  if (random.chance(0.1)) await pause(random.below(60));
  await call(random.chance(0.15) ? "release" : "complete", repeatable());
  if (random.chance(0.02)) await reopenSome(plan);
  return true;
}

/** Work for everybody, so that a run is as long as it has to be. */
async function reopenSome(plan: string): Promise<boolean> {
  await call("reopen", {
    plan,
    step: `step-${1 + random.below(input.steps)}`,
    reason: "there is more to do",
  });
  return true;
}

/** Loads every verb on a plan that does not exist: dying while modules load proves nothing. */
async function warmUp(): Promise<void> {
  const who = { plan: "no such plan.md", step: "step-1", worktree: input.worktree };
  const verbs = [
    () => pawl.start(who),
    () => pawl.heartbeat(who),
    () => pawl.release(who),
    () => pawl.reopen({ ...who, reason: "none" }),
    () => pawl.claim(who),
    () => pawl.update({ ...who, changes: [{ all: true, status: "open" }] }),
    () => pawl.complete(who),
  ];
  for (const verb of verbs) await verb().catch(() => undefined);
}

await warmUp();
await askAgain();
if (input.session) session = (await pawl.openSession({ plan: input.plan, worktree: input.worktree })).id;
process.stdout.write("ready\n");
while (input.most === 0 || answers < input.most) await work(input.plan, input.worktree);
assertUsed();
closeSync(log);
process.exit(0);
