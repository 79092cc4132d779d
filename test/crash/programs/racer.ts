import { compose } from "../../../src/compose.ts";
import { Failure } from "../../../src/domain/errors.ts";
import { pawlOn } from "../../../src/api.ts";
import { programInput } from "../../support/program-input.ts";

/** Waits for the start, then claims and completes until nothing is left, and tells what it got and how long it took. */

export interface RacerInput {
  readonly cwd: string;
  readonly plan: string;
  readonly worktree: string;
}

export interface RacerResult {
  readonly claimed: readonly string[];
  readonly claimMs: readonly number[];
  readonly failures: readonly string[];
  /** What the race took of the processor. */
  readonly cpuMs: number;
}

const { cwd, plan, worktree } = programInput() as RacerInput;
const pawl = pawlOn(await compose({ cwd, env: process.env }));
await pawl.ready({ plan });
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));

const cpuBefore = process.cpuUsage();
const claimed: string[] = [];
const claimMs: number[] = [];
const failures: string[] = [];

/** False when there is nothing left to claim. */
async function turn(): Promise<boolean> {
  const start = performance.now();
  const answer = await pawl.claim({ plan, worktree });
  claimMs.push(performance.now() - start);
  if (answer.allCompleted || answer.remainingReady + answer.totalRemaining === 0) return false;
  if (answer.anchor === null) return false;
  claimed.push(`${answer.anchor} ${answer.claim} ${answer.reclaimed}`);
  const who = { plan, worktree, step: answer.anchor, claim: answer.claim! };
  await pawl.start(who);
  await pawl.complete(who);
  return true;
}

for (;;) {
  try {
    if (!(await turn())) break;
  } catch (error) {
    failures.push(error instanceof Failure ? `${error.code} ${error.message}` : String(error));
    if (failures.length > 10) break;
  }
}
const { user, system } = process.cpuUsage(cpuBefore);
const result: RacerResult = { claimed, claimMs, failures, cpuMs: (user + system) / 1000 };
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
