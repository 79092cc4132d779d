import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compose } from "../../src/compose.ts";
import { ERRORS } from "../../src/domain/errors.ts";
import { type Pawl, pawlOn } from "../../src/api.ts";
import { type ChildPrograms, childPrograms } from "../support/child-program.ts";
import { type Envelope, PAWL } from "../support/cli.ts";
import { converse } from "../support/lines.ts";
import { SMALL_PLAN } from "../support/plans.ts";
import { cleanEnv, testRepository, type TestRepository } from "../support/repository.ts";
import type { Question, Verdict } from "./programs/check.ts";

/**
 * A disk that fails, at every call that could notice.
 *
 * Each write, truncation and sync that a command makes is made to fail once. The command then either says so, in words
 * it knows, or has really done what it says. And with the disk well again the same call goes through.
 */

const CALLS = ["pwrite64", "fsync", "fdatasync", "ftruncate"] as const;
const FAULTS = ["ENOSPC", "EIO"] as const;
const hasStrace = spawnSync("strace", ["-V"]).status === 0;

let programs: ChildPrograms<"check">;
const repositories: TestRepository[] = [];
beforeAll(async () => {
  programs = await childPrograms("check");
});
afterAll(() => {
  for (const repository of repositories) repository.remove();
  programs.remove();
});

interface Traced {
  readonly code: number | null;
  readonly envelope: Envelope;
  readonly trace: string;
}

interface Site {
  readonly run: (fault: string | undefined) => Traced;
  readonly restore: () => void;
  readonly verdict: () => Promise<Verdict>;
  readonly close: () => Promise<void>;
}

async function siteOf(
  args: (worktree: string) => readonly string[],
  prepare: (pawl: Pawl, worktree: string) => Promise<unknown>,
): Promise<Site> {
  const repo = testRepository();
  repositories.push(repo);
  repo.write("plan.md", SMALL_PLAN);
  const worktree = repo.addWorktree("one");
  const pawl = pawlOn(await compose({ cwd: repo.path, env: cleanEnv() }));
  await pawl.init({ plan: "plan.md" });
  await prepare(pawl, worktree);
  await pawl.close();
  const home = dirname(repo.path);
  const template = `${home}.template`;
  renameSync(home, template);
  const checker = converse(programs.start("check", {}));
  const stateDir = join(repo.path, ".git", "pawl");
  const log = `${home}.strace`;
  return {
    restore() {
      rmSync(home, { recursive: true, force: true });
      cpSync(template, home, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    },
    run(fault) {
      const inject = fault === undefined ? [] : ["-e", `inject=${fault}`];
      const { status, stdout, stderr } = spawnSync(
        "strace",
        [
          "-f",
          "-o",
          log,
          "-e",
          `trace=${CALLS.join(",")}`,
          ...inject,
          process.execPath,
          PAWL,
          ...args(worktree),
          "--request-id",
          "once",
          "--json",
        ],
        { cwd: repo.path, env: cleanEnv(), encoding: "utf8" },
      );
      if (stdout === "") throw new Error(`no answer with ${fault}: ${stderr}`);
      return { code: status, envelope: JSON.parse(stdout) as Envelope, trace: readFileSync(log, "utf8") };
    },
    verdict: () => checker.ask<Verdict>({ stateDir, home, dump: true } satisfies Question),
    async close() {
      await checker.end();
      for (const path of [home, template, log]) rmSync(path, { recursive: true, force: true });
    },
  };
}

const COMMANDS = {
  claim: {
    args: (worktree: string) => ["state", "claim", "plan.md", "--worktree", worktree],
    prepare: async () => undefined,
  },
  complete: {
    args: (worktree: string) => ["state", "complete", "plan.md", "step-0", "--worktree", worktree],
    prepare: async (pawl: Pawl, worktree: string) => {
      await pawl.claim({ plan: "plan.md", worktree });
      await pawl.start({ plan: "plan.md", step: "step-0", worktree });
      await pawl.update({
        plan: "plan.md",
        step: "step-0",
        worktree,
        changes: [{ all: true, status: "completed" }],
      });
    },
  },
} as const;

const typed = new Set<string>(
  Object.values(ERRORS)
    .filter((error) => error.kind === "environment")
    .map((error) => error.code),
);

// proves G-no-acked-write-lost
describe.skipIf(!hasStrace)("a disk that fails", () => {
  it.each(Object.keys(COMMANDS) as (keyof typeof COMMANDS)[])(
    "at any call of %s is reported, or the answer is true",
    async (name) => {
      const site = await siteOf(COMMANDS[name].args, COMMANDS[name].prepare);
      let points = 0;
      const told: Record<string, number> = {};
      try {
        site.restore();
        const sound = site.run(undefined);
        expect(sound.envelope.status).toBe("ok");
        const wanted = await site.verdict();
        for (const call of CALLS) {
          const times = sound.trace.split("\n").filter((line) => line.includes(`${call}(`)).length;
          for (let when = 1; when <= times; when += 1) {
            for (const error of FAULTS) {
              const fault = `${call}:error=${error}:when=${when}`;
              points += 1;
              site.restore();
              const { code, envelope } = site.run(fault);
              const outcome = envelope.status === "ok" ? "ok" : envelope.issues[0]!.code;
              told[outcome] = (told[outcome] ?? 0) + 1;
              expect(
                outcome === "ok" ? code === 0 : typed.has(outcome) && code === 3,
                `${fault}: ${JSON.stringify(envelope)}`,
              ).toBe(true);
              const after = await site.verdict();
              expect(after.problems, fault).toEqual([]);
              // An answer is a promise: what it says is there.
              if (outcome === "ok")
                expect(after.world, `${fault} was answered with ok`).toEqual(wanted.world);
              const again = site.run(undefined);
              expect(again.envelope.status, `again after ${fault}: ${JSON.stringify(again.envelope)}`).toBe(
                "ok",
              );
              expect((await site.verdict()).world, `again after ${fault}`).toEqual(wanted.world);
            }
          }
        }
      } finally {
        await site.close();
      }
      console.log(`${name}: ${points} faults, answered ${JSON.stringify(told)}`);
      expect(points, "faults tried").toBeGreaterThan(20);
      expect(Object.keys(told).length, "some of them must have been noticed").toBeGreaterThan(1);
    },
  );
});
