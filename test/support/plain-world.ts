import { createHash } from "node:crypto";
import { compose } from "../../src/compose.ts";
import type { Clock } from "../../src/platform/ports/clock.ts";
import type { Database } from "../../src/platform/ports/database.ts";
import type { Ports } from "../../src/platform/ports/ports.ts";
import { type Pawl, pawlOn } from "../../src/api.ts";
import { cleanEnv, testRepository } from "./repository.ts";

/** A clock that stands until a test moves it. The two hands move apart from one another. */
export interface TestClock extends Clock {
  wall: number;
  uptime: number;
}

export function testClock(): TestClock {
  const clock: TestClock = {
    wall: Date.parse("2026-11-15T12:00:00.000Z"),
    uptime: 1_000_000,
    wallMs: () => clock.wall,
    uptimeMs: () => clock.uptime,
  };
  return clock;
}

/** Pawl on one database, with everything else simple and in the hands of the test. */
export interface PlainWorld {
  readonly pawl: Pawl;
  readonly ports: Ports;
  readonly clock: TestClock;
  readonly machine: { hostId: string; bootId: string };
  /** The text of each plan, by its path. */
  readonly plans: Map<string, string>;
  /** Sessions whose process is dead. */
  readonly dead: Set<string>;
  /** The verbs as another process sees them: same database, own machine and clock where the test says so. */
  readonly elsewhere: (machine: { hostId: string; bootId: string }, clock?: Clock) => Pawl;
  readonly remove: () => void;
}

const contentOf = (text: string) => ({ bytes: Buffer.from(text), hash: hashOf(text) });

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Every path is a worktree of its own and every plan is in memory, so a thousand small worlds cost little. */
export async function plainWorld(database: Database, clock: TestClock): Promise<PlainWorld> {
  const repo = testRepository();
  const base = await compose({ cwd: repo.path, env: cleanEnv(), clock });
  const machine = { hostId: "host-1", bootId: "boot-1" };
  const plans = new Map<string, string>();
  const dead = new Set<string>();
  const placeOf = (key: string) => ({
    key,
    path: plans.has(key) ? `${base.repository.mainTopLevel}/${key}` : undefined,
  });
  const ports: Ports = {
    ...base,
    database: async () => database,
    clock,
    machine,
    lifelines: {
      hold: () => ({ letGo: () => undefined }),
      look: (session) => (dead.has(session) ? "free" : "held"),
      stale: () => [...dead],
      forget: () => undefined,
    },
    plans: {
      locate: placeOf,
      find: placeOf,
      read: ({ key }) => contentOf(plans.get(key) ?? ""),
      search: () => [...plans.keys()],
      checklists: () => [],
      readCommitted: () => undefined,
      existsAnywhere: (key) => plans.has(key),
    },
    repository: { ...base.repository, worktree: (path) => ({ path, id: `id of ${path}` }) },
  };
  return {
    pawl: pawlOn(ports),
    ports,
    clock,
    machine,
    plans,
    dead,
    elsewhere: (other, otherClock = clock) => pawlOn({ ...ports, machine: other, clock: otherClock }),
    remove: repo.remove,
  };
}
