import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openPawl, type Pawl } from "../../src/index.ts";
import { type FlushRecorder, recordFlushes } from "../support/flush-recorder.ts";
import { flatPlan } from "../support/plans.ts";
import { cleanEnv, testRepository, type TestRepository } from "../support/repository.ts";

/** What is on the disk before something speaks for it. A power cut in between is then a cut before the call, or behind it. */

let repo: TestRepository;
let pawl: Pawl;
let recorder: FlushRecorder;

beforeEach(async () => {
  repo = testRepository();
  repo.write("plan.md", flatPlan(2));
  repo.write("changed.txt", "before\n");
  repo.write("folder/removed.txt", "before\n");
  repo.git("add", "-A");
  repo.git("commit", "-q", "-m", "the plan");
  pawl = await openPawl({ cwd: repo.path, env: cleanEnv() });
  recorder = recordFlushes();
});

afterEach(async () => {
  recorder.stop();
  await pawl.close();
  repo.remove();
});

/** After a moment of the record, and before another. */
function expectBetween(event: string | RegExp, after: number, before: number): void {
  const at = recorder.at(event);
  expect(at, `${String(event)} among\n${recorder.events.join("\n")}`).toBeGreaterThan(after);
  expect(at, `${String(event)} before ${recorder.events[before]}`).toBeLessThan(before);
}

it("a worktree is, with all its files, before its mark says that it is ready", async () => {
  const { worktreePath } = await pawl.createWorktree({ plan: "plan.md" });
  const added = recorder.at(/^git .*worktree add/);
  const marked = recorder.at(/^rename .*pawl-ready$/);
  expect(marked).toBeGreaterThan(-1);
  expectBetween(new RegExp(`^sync -f -- ${worktreePath} `), added, marked);
});

it("files of a merge are before they take their places, and their places before the move is forgotten", async () => {
  const { worktreePath } = await pawl.createWorktree({ plan: "plan.md" });
  const git = (...args: string[]) => repo.git("-C", worktreePath, "-c", "core.fsync=none", ...args);
  writeFileSync(join(worktreePath, "changed.txt"), "after\n");
  mkdirSync(join(worktreePath, "new/deep"), { recursive: true });
  writeFileSync(join(worktreePath, "new/deep/file.txt"), "after\n");
  git("rm", "-q", "folder/removed.txt");
  git("add", "-A");
  git("commit", "-q", "-m", "work");
  recorder.events.length = 0;
  await pawl.mergeWorktree({ target: "plan.md" });
  const forgotten = recorder.at(/^remove .*pawl-forward\/intent\.json$/);
  const intended = recorder.at(/^rename .*pawl-forward\/intent\.json$/);
  for (const name of ["changed.txt", "new/deep/file.txt"]) {
    expectBetween(new RegExp(`^fsync .*pawl-forward/trees/new/${name}$`), -1, intended);
    expect(recorder.at(new RegExp(`^rename .*/trees/new/${name} `))).toBeGreaterThan(intended);
  }
  const done = recorder.events.length - 1;
  const last = recorder.events.findLastIndex((one) => /^rename .* .*\.git\/index$/.test(one));
  const cleared = recorder.events.findLastIndex((one) => /^remove .*pawl-forward\/intent\.json$/.test(one));
  for (const folder of ["", "/new", "/new/deep", "/.git"])
    expectBetween(`fsync ${repo.path}${folder}`, last, cleared);
  expect(forgotten).toBeLessThan(intended);
  expect(cleared).toBeLessThanOrEqual(done);
  // An agent's commit, unflushed: its objects are on the disk before the branch of the checkout names it.
  const blob = repo.git("rev-parse", "HEAD:new/deep/file.txt");
  const object = join(repo.path, ".git/objects", blob.slice(0, 2), blob.slice(2));
  expectBetween(`fsync ${object}`, -1, recorder.at(/^git .*update-ref --stdin/));
});

// proves G-power-cut-keeps-answers
it("objects that an agent's git left to the system are before its step is completed", async () => {
  const agent = `
    echo "$PAWL_STEP" > "$PAWL_STEP.txt"
    unset GIT_CONFIG_COUNT
    git -c core.fsync=none add -A
    [ "$PAWL_STEP" != step-2 ] || git -c core.fsync=none commit -qm "by itself"`;
  const answer = await pawl.run({
    plan: "plan.md",
    argv: ["sh", "-c", agent],
    onEvent: (event) => event.event === "completed" && recorder.events.push(`completed ${event.step}`),
  });
  expect(answer.ended).toBe("all_completed");
  for (const step of ["step-1", "step-2"]) {
    const blob = repo.git("rev-parse", `pawl/plan:${step}.txt`);
    const object = join(repo.path, ".git/objects", blob.slice(0, 2), blob.slice(2));
    expectBetween(`fsync ${object}`, -1, recorder.at(`completed ${step}`));
  }
});
