import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Pawl } from "../../src/api.ts";
import { loadDriver } from "../../src/platform/sqlite/driver.ts";
import { MIGRATIONS } from "../../src/platform/migrations/migrations.ts";
import { planText, SMALL_PLAN } from "../support/plans.ts";
import type { TestRepository } from "../support/repository.ts";
import type { VerbCall } from "./programs/verb.ts";

/** What a scenario has to set the scene with, before the call that is killed. */
export interface Stage {
  readonly repo: TestRepository;
  /** The verbs, undisturbed, in the process of the test. */
  readonly pawl: Pawl;
  /** Two linked worktrees, `one` and `two`. */
  readonly one: string;
  readonly two: string;
  /** Runs a session in a process of its own that claims the next step in a worktree, and kills it. */
  readonly deadSession: (worktree: string) => Promise<void>;
}

/** One mutating verb in one situation. */
export interface Scenario {
  readonly name: string;
  /** The verb that is killed. */
  readonly verb: keyof Pawl;
  /** Sets the scene and says which call is to be killed. */
  readonly prepare: (stage: Stage) => Promise<VerbCall>;
  /**
   * How the world after a crash and a second call compares with one that never crashed. `everything`: row for row.
   * `state`: all but the journal, for verbs without a request id, whose second call is a second (empty) effect.
   */
  readonly compare: "everything" | "state";
  /** The part of the answer that a second call must give again; all of it unless said otherwise. */
  readonly sameAnswer?: (answer: Readonly<Record<string, unknown>>) => unknown;
  /** A second call is a second claim, with a number of its own. */
  readonly numbersDiffer?: boolean;
  /** Also between any two statements of a long script. */
  readonly everyStatement?: boolean;
  /** The database is left as it is until the call opens it. */
  readonly closed?: boolean;
  /** The code of the refusal that is the right outcome. */
  readonly refused?: string;
}

const PLAN = "plan.md";
const REQUEST = { requestId: "r-1" };

/** Step 1 says something else now, step 2 is gone, step 3 is new. */
const EDITED_PLAN = planText([
  {
    number: "0",
    title: "Lay the ground",
    tasks: ["dig", "level"],
    tests: ["is it flat"],
    checkpoints: ["inspected"],
  },
  { number: "1", title: "Build", dependsOn: ["step-0"], tasks: ["raise the walls", "and the roof"] },
  { number: "1.1", title: "North wall", tasks: ["bricks", "mortar"] },
  { number: "1.2", title: "South wall", dependsOn: ["step-1-1"], tasks: ["bricks"] },
  { number: "3", title: "Move in", dependsOn: ["step-1"], tasks: ["carry the boxes"] },
]);

async function saved({ repo, pawl }: Stage): Promise<void> {
  repo.write(PLAN, SMALL_PLAN);
  await pawl.init({ plan: PLAN });
}

/** Claims the next step in a worktree and starts it. */
async function working(stage: Stage, worktree: string) {
  const claimed = await stage.pawl.claim({ plan: PLAN, worktree });
  const who = { plan: PLAN, step: claimed.anchor!, worktree, claim: claimed.claim! };
  await stage.pawl.start(who);
  return who;
}

async function completed(stage: Stage, worktree: string) {
  const who = await working(stage, worktree);
  await stage.pawl.complete({ ...who, forceReason: "setting the scene" });
  return who;
}

/** Every step is completed with a commit that the base has, and the branch of a worker is left. */
async function merged({ repo, pawl, one }: Stage): Promise<void> {
  repo.write(PLAN, planText([{ number: "0", title: "Lay the ground" }]));
  repo.git("add", PLAN);
  repo.git("commit", "-q", "-m", "the plan");
  repo.git("commit", "-q", "--allow-empty", "-m", "the ground\n\nPawl-Plan: plan.md\nPawl-Step: step-0");
  await pawl.init({ plan: PLAN });
  const who = await working({ repo, pawl, one } as Stage, one);
  const commit = repo.git("rev-parse", "HEAD");
  await pawl.complete({ ...who, commit, forceReason: "setting the scene" });
}

/** Step 0 is completed, step 1 held in progress by `one`, with some of its parts done. */
async function halfDone(stage: Stage) {
  await saved(stage);
  await completed(stage, stage.one);
  const who = await working(stage, stage.one);
  await stage.pawl.update({ ...who, step: "step-1-1", changes: [{ all: true, status: "completed" }] });
  await stage.pawl.complete({ ...who, step: "step-1-1" });
  await stage.pawl.update({ ...who, changes: [{ all: true, status: "in_progress" }] });
  await stage.pawl.artifact({ ...who, kind: "architect_strategy", summary: "stone on stone" });
  return who;
}

const counts = (answer: Readonly<Record<string, unknown>>) => ({
  planHash: answer["planHash"],
  counts: [answer["stepCount"], answer["substepCount"], answer["depCount"], answer["checklistCount"]],
});

const nothing = () => undefined;

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "init (repository)",
    verb: "prepare",
    compare: "everything",
    sameAnswer: (answer) => answer["plansFound"],
    prepare: async ({ repo }) => {
      repo.write(PLAN, SMALL_PLAN);
      return { verb: "prepare", request: {} };
    },
  },
  {
    name: "state init",
    verb: "init",
    compare: "everything",
    sameAnswer: counts,
    prepare: async ({ repo }) => {
      repo.write(PLAN, SMALL_PLAN);
      return { verb: "init", request: { plan: PLAN } };
    },
  },
  {
    name: "state init --force",
    verb: "reinit",
    compare: "state",
    sameAnswer: counts,
    prepare: async (stage) => {
      await halfDone(stage);
      stage.repo.write(PLAN, EDITED_PLAN);
      return { verb: "reinit", request: { plan: PLAN } };
    },
  },
  {
    name: "state init --force --discard-progress",
    verb: "reinit",
    compare: "state",
    sameAnswer: counts,
    prepare: async (stage) => {
      await halfDone(stage);
      return { verb: "reinit", request: { plan: PLAN, discardProgress: true } };
    },
  },
  {
    name: "claim",
    verb: "claim",
    compare: "everything",
    prepare: async (stage) => {
      await saved(stage);
      return { verb: "claim", request: { plan: PLAN, worktree: stage.one, ...REQUEST } };
    },
  },
  {
    name: "claim a step with substeps",
    verb: "claim",
    compare: "everything",
    prepare: async (stage) => {
      await saved(stage);
      await completed(stage, stage.one);
      return { verb: "claim", request: { plan: PLAN, worktree: stage.two, step: "step-1", ...REQUEST } };
    },
  },
  {
    name: "claim the step held already",
    verb: "claim",
    compare: "everything",
    prepare: async (stage) => {
      await halfDone(stage);
      return { verb: "claim", request: { plan: PLAN, worktree: stage.one, ...REQUEST } };
    },
  },
  {
    name: "claim --force",
    verb: "claim",
    compare: "everything",
    prepare: async (stage) => {
      await halfDone(stage);
      return { verb: "claim", request: { plan: PLAN, worktree: stage.two, force: true, ...REQUEST } };
    },
  },
  {
    name: "claim from a dead session",
    verb: "claim",
    compare: "everything",
    prepare: async (stage) => {
      await saved(stage);
      await stage.deadSession(stage.one);
      return { verb: "claim", request: { plan: PLAN, worktree: stage.two, ...REQUEST } };
    },
  },
  {
    name: "start",
    verb: "start",
    compare: "everything",
    prepare: async (stage) => {
      await saved(stage);
      const { claim, anchor } = await stage.pawl.claim({ plan: PLAN, worktree: stage.one });
      return { verb: "start", request: { plan: PLAN, step: anchor, worktree: stage.one, claim, ...REQUEST } };
    },
  },
  {
    name: "start a substep that was reset",
    verb: "start",
    compare: "everything",
    prepare: async (stage) => {
      const who = await halfDone(stage);
      await stage.pawl.reset({ plan: PLAN, step: "step-1-2" });
      return { verb: "start", request: { ...who, step: "step-1-2", ...REQUEST } };
    },
  },
  {
    name: "heartbeat",
    verb: "heartbeat",
    compare: "everything",
    prepare: async (stage) => ({
      verb: "heartbeat",
      request: { ...(await halfDone(stage)), leaseSeconds: 9000 },
    }),
  },
  {
    name: "update",
    verb: "update",
    compare: "everything",
    prepare: async (stage) => {
      await saved(stage);
      const who = await working(stage, stage.one);
      return {
        verb: "update",
        request: {
          ...who,
          changes: [
            { all: true, status: "completed" },
            { kind: "test", ordinal: 1, status: "deferred" },
          ],
          reason: "later",
          ...REQUEST,
        },
      };
    },
  },
  {
    name: "artifact",
    verb: "artifact",
    compare: "everything",
    prepare: async (stage) => {
      await saved(stage);
      const who = await working(stage, stage.one);
      return {
        verb: "artifact",
        request: { ...who, kind: "reviewer_verdict", summary: "good", content: "very good", ...REQUEST },
      };
    },
  },
  {
    name: "complete",
    verb: "complete",
    compare: "everything",
    prepare: async (stage) => {
      await saved(stage);
      const who = await working(stage, stage.one);
      await stage.pawl.update({ ...who, changes: [{ all: true, status: "completed" }] });
      return { verb: "complete", request: { ...who, commit: "0123abcd", ...REQUEST } };
    },
  },
  {
    name: "complete a substep",
    verb: "complete",
    compare: "everything",
    prepare: async (stage) => {
      const who = await halfDone(stage);
      await stage.pawl.update({ ...who, step: "step-1-2", changes: [{ all: true, status: "completed" }] });
      return { verb: "complete", request: { ...who, step: "step-1-2", ...REQUEST } };
    },
  },
  {
    name: "complete --force",
    verb: "complete",
    compare: "everything",
    prepare: async (stage) => ({
      verb: "complete",
      request: { ...(await halfDone(stage)), forceReason: "no time", ...REQUEST },
    }),
  },
  {
    name: "complete by a fenced-off owner",
    verb: "complete",
    compare: "everything",
    refused: "E076",
    prepare: async (stage) => {
      const who = await halfDone(stage);
      await stage.pawl.claim({ plan: PLAN, worktree: stage.two, force: true });
      stage.repo.git("-C", stage.one, "commit", "-q", "--allow-empty", "-m", "late work");
      const commit = stage.repo.git("-C", stage.one, "rev-parse", "HEAD");
      return { verb: "complete", request: { ...who, commit, ...REQUEST } };
    },
  },
  {
    name: "release",
    verb: "release",
    compare: "everything",
    prepare: async (stage) => ({ verb: "release", request: { ...(await halfDone(stage)), ...REQUEST } }),
  },
  {
    name: "release --force",
    verb: "release",
    compare: "everything",
    prepare: async (stage) => {
      const { step } = await halfDone(stage);
      return { verb: "release", request: { plan: PLAN, step, reason: "a person says so", ...REQUEST } };
    },
  },
  {
    name: "reset",
    verb: "reset",
    compare: "everything",
    prepare: async (stage) => ({
      verb: "reset",
      request: { plan: PLAN, step: (await halfDone(stage)).step, ...REQUEST },
    }),
  },
  {
    name: "hold",
    verb: "hold",
    compare: "everything",
    prepare: async (stage) => ({
      verb: "hold",
      request: { plan: PLAN, step: (await halfDone(stage)).step, reason: "rain", ...REQUEST },
    }),
  },
  {
    name: "tell",
    verb: "tell",
    compare: "everything",
    prepare: async (stage) => ({
      verb: "tell",
      request: { to: (await halfDone(stage)).step, plan: PLAN, text: "mind the rain", ...REQUEST },
    }),
  },
  {
    name: "retry",
    verb: "retry",
    compare: "everything",
    prepare: async (stage) => {
      const { step } = await halfDone(stage);
      await stage.pawl.hold({ plan: PLAN, step, reason: "rain" });
      return { verb: "retry", request: { plan: PLAN, step, ...REQUEST } };
    },
  },
  {
    name: "reopen",
    verb: "reopen",
    compare: "everything",
    prepare: async (stage) => {
      await halfDone(stage);
      return {
        verb: "reopen",
        request: { plan: PLAN, step: "step-0", reason: "it is not flat", ...REQUEST },
      };
    },
  },
  {
    name: "reconcile",
    verb: "reconcile",
    compare: "everything",
    prepare: async (stage) => {
      await halfDone(stage);
      const trailer = (step: string) =>
        stage.repo.git(
          "commit",
          "-q",
          "--allow-empty",
          "-m",
          `work\n\nPawl-Plan: ${PLAN}\nPawl-Step: ${step}`,
        );
      trailer("step-0");
      trailer("step-1");
      trailer("step-2");
      return { verb: "reconcile", request: { plan: PLAN, force: true, trustUnsigned: true, ...REQUEST } };
    },
  },
  {
    name: "add a step to a plan",
    verb: "addStep",
    compare: "everything",
    // The second call finds the step of the first one.
    sameAnswer: ({ anchor, line, dependsOn }) => ({ anchor, line, dependsOn }),
    prepare: async (stage) => {
      await saved(stage);
      const request = { plan: PLAN, title: "Move in", tasks: ["carry the boxes"], after: ["step-2"] };
      return { verb: "addStep", request };
    },
  },
  {
    name: "prune",
    verb: "prune",
    compare: "state",
    sameAnswer: nothing,
    prepare: async (stage) => {
      const { step } = await halfDone(stage);
      await stage.pawl.release({ plan: PLAN, step });
      rmSync(join(stage.repo.path, PLAN));
      return { verb: "prune", request: {} };
    },
  },
  {
    name: "restore",
    verb: "restore",
    compare: "state",
    sameAnswer: ({ planPath, stepCount }) => ({ planPath, stepCount }),
    prepare: async (stage) => {
      await halfDone(stage);
      const { savedTo } = await stage.pawl.reinit({ plan: PLAN, discardProgress: true });
      await completed(stage, stage.two);
      return { verb: "restore", request: { path: savedTo } };
    },
  },
  {
    name: "open a session, claim, release, end it",
    verb: "openSession",
    compare: "state",
    numbersDiffer: true,
    prepare: async (stage) => {
      await saved(stage);
      return { verb: "session", request: { plan: PLAN, worktree: stage.one } };
    },
  },
  {
    name: "doctor --fix after a dead session",
    verb: "doctor",
    compare: "everything",
    sameAnswer: nothing,
    prepare: async (stage) => {
      await saved(stage);
      await stage.deadSession(stage.one);
      return { verb: "doctor", request: { fix: true } };
    },
  },
  {
    name: "gc",
    verb: "gc",
    compare: "state",
    // What the first call removed is gone when the second one looks.
    sameAnswer: nothing,
    prepare: async (stage) => {
      await merged(stage);
      for (const [name, commit] of [
        ["rescue/pawl-plan-w1/1", "HEAD"],
        ["late/plan.md/step-0/1", "HEAD^"],
      ] as const)
        stage.repo.git("update-ref", `refs/pawl/${name}`, commit);
      const logs = join(stage.repo.path, ".git/pawl/logs/s-gone");
      mkdirSync(logs, { recursive: true });
      writeFileSync(join(logs, "1.log"), "what an agent said\n");
      return { verb: "gc", request: { olderThanMs: -60_000 } };
    },
  },
  {
    name: "migration from version 1",
    verb: "list",
    compare: "everything",
    closed: true,
    everyStatement: true,
    prepare: async (stage) => {
      versionOne(join(stage.repo.path, ".git", "pawl"));
      stage.repo.write(PLAN, SMALL_PLAN);
      return { verb: "list", request: {} };
    },
  },
];

/** A database as version 1 left it: another journal mode, times in other forms, a doubled item. */
function versionOne(stateDir: string): void {
  mkdirSync(stateDir, { mode: 0o700 });
  writeFileSync(join(stateDir, "ID"), "an id\n", { mode: 0o600 });
  writeFileSync(join(stateDir, "state.db"), "", { mode: 0o600 });
  const connection = loadDriver().open(join(stateDir, "state.db"));
  connection.exec(MIGRATIONS[0]!.sqlite);
  connection.exec(`
    insert into plans values ('plan.md', 'abc', 'Old', 'active', '2025-01-01T00:00:00Z', '2025-01-01T00:00:00Z');
    insert into steps (plan_path, anchor, parent_anchor, step_index, title, status, claimed_by, lease_expires_at, completed_at, commit_hash)
    values ('plan.md', 'step-0', null, 0, 'a', 'completed', '/gone', null, '2025-01-01T00:00:00+00:00', 'feed'),
           ('plan.md', 'step-1', null, 1, 'b', 'in_progress', '/gone', '2025-01-01T02:00:00Z', null, null),
           ('plan.md', 'step-1-1', 'step-1', 2, 'c', 'claimed', '/gone', '2025-01-01T02:00:00Z', null, null),
           ('plan.md', 'step-2', null, 3, 'd', 'whatever', null, null, null, null);
    insert into step_deps values ('plan.md', 'step-1', 'step-0'), ('plan.md', 'step-2', 'step-1');
    insert into checklist_items (plan_path, step_anchor, kind, ordinal, text, status)
    values ('plan.md', 'step-0', 'task', 0, 'x', 'completed'), ('plan.md', 'step-0', 'task', 0, 'x', 'open'),
           ('plan.md', 'step-1', 'test', 0, 'y', 'odd');
    insert into step_artifacts (plan_path, step_anchor, kind, summary, recorded_at)
    values ('plan.md', 'step-0', 'auditor_summary', 'fine', '2025-01-01T00:00:00Z');
  `);
  connection.close();
}
