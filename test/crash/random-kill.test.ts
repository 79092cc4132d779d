import { statfsSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ChildPrograms, childPrograms } from "../support/child-program.ts";
import { killRun } from "../support/kill-run.ts";
import { converse } from "../support/lines.ts";
import { chosenSeed } from "../support/random.ts";
import { workSite } from "../support/work-site.ts";
import type { Question, Verdict } from "./programs/check.ts";

/** Eight workers on one database, killed at random moments and started again, a thousand times. */

const KILLS = Number(process.env["PAWL_KILLS"] ?? 1000);
const WORKERS = 8;
const SEED = chosenSeed();

let programs: ChildPrograms<"worker" | "check">;
beforeAll(async () => {
  programs = await childPrograms("worker", "check");
});
afterAll(() => programs.remove());

// proves G-no-acked-write-lost, G-never-completed-twice
it(
  `loses nothing that was acknowledged, over ${KILLS} kills (seed ${SEED})`,
  { timeout: Math.max(600_000, KILLS * 1000) },
  async () => {
    const site = await workSite({ workers: WORKERS, steps: 1200 });
    try {
      const check = async () => {
        const checker = converse(programs.start("check", {}));
        try {
          const { stateDir, home } = site;
          return (await checker.ask<Verdict>({ stateDir, home, dump: false } satisfies Question)).problems;
        } finally {
          await checker.end();
        }
      };
      const report = await killRun({
        site,
        programs,
        workers: WORKERS,
        kills: KILLS,
        seed: SEED,
        longestLifeMs: 60,
        checkEvery: 250,
        check,
      });
      const { engine, events, completed } = site.facts();
      const inside = report.inTransaction / report.kills;
      console.log(
        [
          `seed ${SEED}, ${engine}, file system 0x${statfsSync(site.stateDir).type.toString(16)}`,
          `${report.kills} kills in ${report.seconds.toFixed(0)} s, ${report.operations} operations (${report.operationsPerKill.toFixed(1)} per kill), lives of up to ${report.longestLifeMs.toFixed(0)} ms`,
          `${(inside * 100).toFixed(0)} % inside a transaction, ${report.waiting} waiting for one, ${report.idle} between two`,
          `${events} events, ${completed} steps completed, ${JSON.stringify(site.history().acknowledged)}`,
        ].join("\n"),
      );
      expect(report.violations, `seed ${SEED}`).toEqual([]);
      expect(report.kills).toBe(KILLS);
      // Without these two a green run would only say that nothing happened.
      expect(report.operationsPerKill, "operations per kill").toBeGreaterThanOrEqual(3);
      expect(inside, "share of kills inside a transaction").toBeGreaterThanOrEqual(0.25);
    } finally {
      site.remove();
    }
  },
);
