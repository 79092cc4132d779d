import { expect, it } from "vitest";
import { compose } from "../../src/compose.ts";
import { claim } from "../../src/claims/claim.ts";
import { openSession } from "../../src/sessions/open-session.ts";
import { recover } from "../../src/recovery/recover.ts";
import { chooseScanExtent, dropDeadRuns, withSentinel } from "../../src/runs/prepare/sentinel.ts";
import { save } from "../../src/plans/save.ts";
import type { Ports } from "../../src/platform/ports/ports.ts";
import { listRunningSessions } from "../../src/sessions/sql/list-running-sessions.ts";
import { planText } from "../support/plans.ts";
import { seededRandom } from "../support/random.ts";
import { cleanEnv, testRepository } from "../support/repository.ts";

/** Thrown instead of an effect by a process that is dead; nothing after it happens either. */
class Killed extends Error {}

/**
 * The ports of a process that dies before a given effect, and leaves behind what a killed one leaves: no lock is held
 * for it, and no process with its number runs.
 */
function mortal(ports: Ports, at: number): Ports & { readonly die: () => never } {
  let left = at;
  const beat = () => {
    left -= 1;
    if (left < 0) throw new Killed("killed");
  };
  const files = { ...ports.files };
  for (const name of ["replace", "replaceIf", "create", "makeFolder"] as const)
    files[name] = ((...args: never[]) => {
      beat();
      return (ports.files[name] as (...args: never[]) => unknown)(...args);
    }) as never;
  return {
    ...ports,
    files,
    die() {
      left = 0;
      throw new Killed("while it worked");
    },
    async database(options) {
      const database = await ports.database(options);
      return {
        ...database,
        read: (work) => database.read(work),
        write: async (work) => {
          beat();
          return database.write(work);
        },
      };
    },
    processes: { ...ports.processes, self: () => ({ pid: 2 ** 30, startedAt: "long ago" }) },
    lifelines: { ...ports.lifelines, hold: () => ({ letGo: () => undefined }), look: () => "held" },
  };
}

it("a crash within 24 hours of a clean end is found, 1,000 times of 1,000", async () => {
  const repo = testRepository();
  try {
    repo.write("plan.md", planText([{ number: "1" }]));
    const ports = await compose({ cwd: repo.path, env: cleanEnv() });
    await save(ports, { plan: "plan.md" });
    const worktree = ports.repository.worktree(repo.path);
    const random = seededRandom(20261116);
    const database = await ports.database();
    const running = () =>
      database.read((sql) => sql.all(listRunningSessions, { host_id: ports.machine.hostId }));
    const tally = { begun: 0, found: 0, tooEarly: 0 };
    const rounds = Number(process.env["PAWL_SENTINEL_ROUNDS"] ?? "1000");
    while (tally.begun < rounds) {
      await withSentinel(ports, "plan.md", async () => undefined);
      expect(chooseScanExtent(ports, "plan.md")).toEqual({ kind: "listed", steps: new Set() });
      const dying = mortal(ports, 1 + random.below(12));
      const end = await withSentinel(dying, "plan.md", async () => {
        const session = await openSession(dying, { plan: "plan.md", worktree });
        await claim(dying, { plan: "plan.md", caller: { worktree, session: session.id }, start: true });
        return dying.die();
      }).catch((error: unknown) => error);
      expect(end).toBeInstanceOf(Killed);
      const isBegun = (await running()).length > 0;
      if (isBegun) tally.begun += 1;
      else tally.tooEarly += 1;
      const way = await chooseScanExtent(ports, "plan.md");
      const { repaired } = await recover(ports, {
        scope: { plan: "plan.md", withoutWorktrees: true },
      });
      if (isBegun && way.kind === "full" && repaired.some(({ repair }) => repair === "mark-interrupted"))
        tally.found += 1;
      await recover(ports, { scope: { plan: "plan.md", withoutWorktrees: true } });
      await dropDeadRuns(ports, "plan.md");
      expect(await running()).toEqual([]);
    }
    console.log("sentinel:", tally);
    expect(tally).toMatchObject({ begun: rounds, found: rounds });
  } finally {
    repo.remove();
  }
});
