import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { randomUUID } from "node:crypto";
import { compose } from "../../../src/compose.ts";
import { Failure } from "../../../src/domain/errors.ts";
import { systemClock } from "../../../src/platform/os/system-clock.ts";
import { pawlOn } from "../../../src/api.ts";
import { programInput } from "../../support/program-input.ts";

/** A worker: takes steps until all are completed, and prints every answer on stdout, the moment it gets it. */

export interface DrainInput {
  readonly worktree: string;
  readonly plan: string;
  /** With them, a call that failed is repeated under its id; without them the engine alone must get it right. */
  readonly requestIds: boolean;
  /** How wrong this machine's wall clock is. */
  readonly clockErrorMs: number;
  /** The machines of a test share a kernel; real ones do not. */
  readonly bootId: string;
}

export type DrainLine =
  | {
      readonly told: "claimed" | "completed";
      readonly anchor: string;
      readonly claim: number;
      readonly reclaimed: boolean;
    }
  | { readonly told: "failed"; readonly code: string; readonly message: string };

const { worktree, plan, requestIds, clockErrorMs, bootId } = programInput() as DrainInput;
const clock = { ...systemClock, wallMs: () => systemClock.wallMs() + clockErrorMs };
const ports = await compose({ cwd: worktree, env: process.env, clock });
const pawl = pawlOn({ ...ports, machine: { ...ports.machine, bootId } });

const say = (line: DrainLine): void => {
  writeSync(1, `${JSON.stringify(line)}\n`);
};

/** Repeats a call while the server is the problem. Nothing else may fail. */
async function insistently<T>(call: (requestId: string | undefined) => Promise<T>): Promise<T> {
  const requestId = requestIds ? randomUUID() : undefined;
  for (let tried = 1; ; tried += 1) {
    try {
      return await call(requestId);
    } catch (error) {
      if (!(error instanceof Failure) || tried === 20) throw error;
      say({ told: "failed", code: error.code, message: error.message });
      const passes = error.problem === "store/unreachable" || error.problem === "store/outcome-unknown";
      if (!passes) throw error;
      await sleep(100);
    }
  }
}

for (;;) {
  const { anchor, claim, allCompleted, reclaimed } = await insistently((requestId) =>
    pawl.claim({ plan, worktree, requestId }),
  );
  if (allCompleted) break;
  if (anchor === null || claim === null) {
    await sleep(20);
    continue;
  }
  say({ told: "claimed", anchor, claim, reclaimed });
  const who = { plan, step: anchor, worktree, claim };
  await insistently((requestId) => pawl.start({ ...who, requestId }));
  await insistently((requestId) => pawl.complete({ ...who, requestId }));
  say({ told: "completed", anchor, claim, reclaimed });
}
await pawl.close();
