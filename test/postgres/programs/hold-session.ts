import { writeSync } from "node:fs";
import { compose } from "../../../src/compose.ts";
import { pawlOn } from "../../../src/api.ts";
import { programInput } from "../../support/program-input.ts";

/** A supervised session: opens, claims a step, says so, and lives until it is killed. */

export interface HoldInput {
  readonly worktree: string;
  readonly plan: string;
  readonly leaseSeconds: number;
}

const { worktree, plan, leaseSeconds } = programInput() as HoldInput;
const ports = await compose({ cwd: worktree, env: process.env });
// The machines of a test share a kernel; real ones do not.
const bootId = `boot-of-${ports.machine.hostId}`;
const pawl = pawlOn({ ...ports, machine: { ...ports.machine, bootId } });
const session = await pawl.openSession({ plan, worktree });
const { anchor, claim } = await pawl.claim({ plan, worktree, session: session.id, leaseSeconds });
writeSync(1, `${JSON.stringify({ session: session.id, anchor, claim })}\n`);
setInterval(() => undefined, 60_000);
