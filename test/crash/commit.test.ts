import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compose } from "../../src/compose.ts";
import { pawlOn } from "../../src/api.ts";
import { type ChildPrograms, childPrograms, ended } from "../support/child-program.ts";
import { COMMIT_PLAN } from "../support/commit-shop.ts";
import { cleanEnv, testRepository, type TestRepository } from "../support/repository.ts";
import { query } from "../support/world.ts";
import type { VerbOutput } from "./programs/verb.ts";

/**
 * Kills `commit` at every effect it has, on the database, on files and on git, and calls it again.
 *
 * However it died there is exactly one commit, one completion with it, and a repository that git finds nothing wrong
 * with. The hash of a commit has the time in it, so worlds cannot be compared row by row as for the other verbs.
 */

let programs: ChildPrograms<"verb">;
const made: string[] = [];

beforeAll(async () => {
  programs = await childPrograms("verb");
});

afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true, force: true });
  programs.remove();
});

interface Variant {
  readonly name: string;
  readonly request: object;
  readonly hook?: string;
  readonly files: readonly string[];
  /** In the main checkout, with a plan that carries status, which is committed behind the step. */
  readonly withStatus?: true;
}

const LIST = "# Ground\n\n- [ ] T001 Lay the ground\n- [ ] T002 Build\n";

const VARIANTS: readonly Variant[] = [
  { name: "everything", request: {}, files: ["changed", "gone", "new"] },
  {
    name: "with a request id",
    request: { requestId: "r-1", message: "work" },
    files: ["changed", "gone", "new"],
  },
  { name: "only some paths", request: { paths: ["new", "gone"] }, files: ["gone", "new"] },
  {
    name: "a hook that takes the trailers away",
    request: {},
    hook: "printf 'rewritten\\n' > \"$1\"",
    files: ["changed", "gone", "new"],
  },
  { name: "and the status with it", request: {}, files: ["changed", "gone", "new"], withStatus: true },
];

const LANES = 2;

// proves G-never-completed-twice
describe("after a kill at any effect of commit, the same call again ends with one commit and one completion", () => {
  it.each(VARIANTS.map((variant) => [variant.name, variant] as const))("%s", async (_, variant) => {
    const lanes = await Promise.all(Array.from({ length: LANES }, () => makeLane(variant)));
    const [whole] = await Promise.all(lanes.map((lane) => lane.run(0)));
    const { moments } = whole!;
    expect(moments).toBeGreaterThan(60);
    // What comes before the completion is the same as without the status.
    const first = variant.withStatus ? namesOf(whole!).findIndex((name) => name.includes(COMPLETES)) : 0;
    expect(first).toBeGreaterThanOrEqual(0);
    let at = first;
    await Promise.all(
      lanes.map(async (lane) => {
        while (at < moments) await lane.crash((at += 1));
      }),
    );
    console.log(`commit, ${variant.name}: ${moments - first} crash points`);
  });
});

const COMPLETES = "update steps set status = 'completed'";

const namesOf = (output: VerbOutput): readonly string[] =>
  ("names" in output ? output.names : undefined) ?? [];

async function makeLane(variant: Variant) {
  const repo = testRepository();
  const home = dirname(repo.path);
  const [template, trace] = [`${home}.template`, `${home}.trace`];
  made.push(home, template, trace);
  const call = await setScene(repo, variant);
  renameSync(home, template);
  const restore = () => {
    rmSync(home, { recursive: true, force: true });
    cpSync(template, home, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  };
  const start = (at: number) =>
    ended(programs.start("verb", { cwd: repo.path, at, trace, call, names: at === 0 }));
  const run = async (at: number): Promise<VerbOutput> => {
    if (at === 0) restore();
    const { code, stdout, stderr } = await start(0);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    check(
      repo,
      variant,
      JSON.parse(stdout) as VerbOutput,
      at === 0 ? "undisturbed" : readFileSync(trace, "utf8"),
    );
    return JSON.parse(stdout) as VerbOutput;
  };
  return {
    run,
    async crash(at: number) {
      restore();
      const first = await start(at);
      expect(first.signal, `moment ${at}: ${first.stdout}${first.stderr}`).toBe("SIGKILL");
      await run(at);
    },
  };
}

async function setScene(repo: TestRepository, { request, hook, withStatus }: Variant) {
  rmSync(join(repo.path, ".git/hooks"), { recursive: true, force: true });
  if (hook !== undefined) {
    mkdirSync(join(repo.path, ".git/hooks"));
    writeFileSync(join(repo.path, ".git/hooks/commit-msg"), `#!/bin/sh\n${hook}\n`);
    chmodSync(join(repo.path, ".git/hooks/commit-msg"), 0o755);
  }
  const [plan, step] = withStatus ? ["todo.md", "T001"] : ["plan.md", "step-1"];
  repo.write(plan, withStatus ? LIST : COMMIT_PLAN);
  if (withStatus) repo.write("pawl.toml", "commit_status = true\n");
  repo.write("changed", "before\n");
  repo.write("gone", "before\n");
  repo.git("add", "-A");
  repo.git("commit", "-q", "--no-verify", "-m", "before");
  if (withStatus) repo.git("branch", "before");
  const worktree = withStatus ? repo.path : repo.addWorktree("one");
  const pawl = pawlOn(await compose({ cwd: repo.path, env: cleanEnv() }));
  await pawl.init({ plan });
  const { claim } = await pawl.claim({ plan, worktree });
  const who = { plan, step, worktree, claim: claim! };
  await pawl.start(who);
  await pawl.close();
  writeFileSync(join(worktree, "changed"), "after\n");
  writeFileSync(join(worktree, "new"), "new\n");
  rmSync(join(worktree, "gone"));
  return { verb: "commit", request: { ...who, ...request } };
}

/** What a killed writer left unfinished goes with the next write, once it is old enough. */
const leftIn = (repo: TestRepository): string =>
  repo
    .git("status", "--porcelain")
    .split("\n")
    .filter((line) => !/^\?\? \.todo\.md\.\d+\.\w+\.tmp$/.test(line))
    .join("\n");

function check(repo: TestRepository, variant: Variant, output: VerbOutput, when: string): void {
  if (!("answer" in output)) throw new Error(`${when}: ${JSON.stringify(output)}`);
  const answer = output.answer as Readonly<Record<string, unknown>>;
  const made = repo
    .git("log", "--reverse", "--format=%H", variant.withStatus ? "before..main" : "main..one")
    .split("\n");
  const [commits, behind] = [made.slice(0, 1), made.slice(1)];
  expect({
    when,
    behind: behind.map((commit) => repo.git("show", "--format=%s", "--name-only", commit)),
  }).toEqual({
    when,
    behind: variant.withStatus ? ["Record the status of todo.md\n\ntodo.md"] : [],
  });
  if (variant.withStatus) expect({ when, left: leftIn(repo) }).toEqual({ when, left: "" });
  const database = join(repo.path, ".git/pawl/state.db");
  expect({
    when,
    hash: answer["commitHash"],
    completed: answer["completed"],
    files: answer["filesStaged"],
    steps: query(database, "select commit_hash from steps where status = 'completed'"),
    completions: query(database, "select count(*) as n from events where event in ('completed', 'proved')"),
    open: query(database, "select count(*) as n from commit_intents where closed_at is null"),
    fsck: repo.git("fsck", "--strict", "--no-dangling"),
    keys: readdirSync(join(repo.path, ".git/pawl")).filter((name) => name === "signing-key"),
  }).toEqual({
    when,
    hash: commits[0],
    completed: true,
    files: variant.files,
    steps: [{ commit_hash: commits[0] }],
    completions: [{ n: 1 }],
    open: [{ n: 0 }],
    fsck: "",
    keys: ["signing-key"],
  });
}
