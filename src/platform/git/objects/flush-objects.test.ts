import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type FlushRecorder, recordFlushes } from "../../../../test/support/flush-recorder.ts";
import { cleanEnv, testRepository, type TestRepository } from "../../../../test/support/repository.ts";
import { gitCli } from "../git-cli.ts";
import { noteFlushed } from "./flush-objects.ts";
import { branchesByGit } from "../branches/branches-by-git.ts";

/** What an agent's own git wrote is flushed by Pawl, before anything names it. */

let repo: TestRepository;
let gitDir: string;
let recorder: FlushRecorder;

beforeEach(() => {
  repo = testRepository();
  gitDir = join(repo.path, ".git");
  recorder = recordFlushes();
});

afterEach(() => {
  recorder.stop();
  repo.remove();
});

const git = () => gitCli({ gitDir, env: cleanEnv() });

const branches = () =>
  branchesByGit({
    gitDir,
    env: cleanEnv(),
    files: undefined as never,
    locks: undefined as never,
    scratchFolder: join(gitDir, "scratch"),
  });

/** As an agent does, with its git set to flush nothing. */
function commitUnflushed(name: string): string {
  repo.write(`folder/${name}`, `${name}\n`);
  repo.git("-c", "core.fsync=none", "add", "-A");
  repo.git("-c", "core.fsync=none", "commit", "-q", "-m", name);
  return repo.git("rev-parse", "HEAD");
}

const looseFile = (name: string): string => join(gitDir, "objects", name.slice(0, 2), name.slice(2));

const objectsSince = (from: string): readonly string[] =>
  repo.git("rev-list", "--objects", "--no-object-names", "HEAD", `^${from}`).split("\n").map(looseFile);

it("flushes every object of a commit that came since the last one it settled, and no other", async () => {
  const first = commitUnflushed("first");
  await git().flush([first]);
  const second = commitUnflushed("second");
  recorder.events.length = 0;
  await git().flush([second]);
  const objects = objectsSince(first);
  expect(objects).toHaveLength(4);
  for (const path of objects) expect(recorder.events).toContain(`fsync ${path}`);
  expect(recorder.events).not.toContain(`fsync ${looseFile(first)}`);
});

it("flushes everything where it knows of nothing that is settled", async () => {
  const first = commitUnflushed("first");
  await git().flush([first]);
  expect(recorder.at(/^sync .*objects$/)).toBeGreaterThan(-1);
});

it("flushes also commits below, which the agent made before", async () => {
  const first = commitUnflushed("first");
  await git().flush([first]);
  repo.git("-c", "core.fsync=none", "commit", "-q", "--allow-empty", "-m", "between");
  const between = repo.git("rev-parse", "HEAD");
  const last = commitUnflushed("last");
  await git().flush([last]);
  for (const name of [between, last]) expect(recorder.events).toContain(`fsync ${looseFile(name)}`);
});

it("asks git nothing about what it settled before", async () => {
  const first = commitUnflushed("first");
  await git().flush([first]);
  recorder.events.length = 0;
  await git().flush([first]);
  expect(recorder.events).toEqual([]);
});

it("flushes packs where objects lie in one", async () => {
  const first = commitUnflushed("first");
  await git().flush([first]);
  const second = commitUnflushed("second");
  repo.git("-c", "core.fsync=none", "repack", "-adq");
  await git().flush([second]);
  expect(recorder.at(/^fsync .*objects\/pack\/pack-.*\.pack$/)).toBeGreaterThan(-1);
});

it("moves a branch, and holds a commit, only after its objects are on the disk, and flushes the folder of the ref then", async () => {
  const first = commitUnflushed("first");
  await git().flush([first]);
  const second = commitUnflushed("second");
  expect(await branches().advance("pawl/plan", "", second)).toBe(true);
  const moved = recorder.at(/^git .*update-ref .*refs\/heads\/pawl\/plan/);
  for (const path of objectsSince(first)) {
    expect(recorder.at(`fsync ${path}`)).toBeGreaterThan(-1);
    expect(recorder.at(`fsync ${path}`)).toBeLessThan(moved);
  }
  expect(recorder.at(`fsync ${join(gitDir, "refs/heads/pawl")}`)).toBeGreaterThan(moved);
  const third = commitUnflushed("third");
  await git().holdCommit("refs/pawl/late/one", third);
  const held = recorder.at(/^git .*update-ref .*refs\/pawl\/late\/one/);
  expect(recorder.at(`fsync ${looseFile(third)}`)).toBeLessThan(held);
  expect(recorder.at(`fsync ${join(gitDir, "refs/pawl/late")}`)).toBeGreaterThan(held);
});

it("fails rather than vouch for an object that is empty", async () => {
  const first = commitUnflushed("first");
  await git().flush([first]);
  const second = commitUnflushed("second");
  const tree = looseFile(repo.git("rev-parse", "HEAD^{tree}"));
  rmSync(tree);
  writeFileSync(tree, "");
  await expect(git().flush([second])).rejects.toMatchObject({ problem: "git/failed" });
});

it("keeps its notes short, and reads them behind a line that was cut off", async () => {
  const first = commitUnflushed("first");
  const notes = join(gitDir, "pawl-settled");
  noteFlushed(
    gitDir,
    Array.from({ length: 500 }, (_, index) => index.toString(16).padStart(40, "0")),
  );
  noteFlushed(gitDir, [first]);
  expect(readFileSync(notes, "utf8").length).toBeLessThan(4_000);
  writeFileSync(notes, `${readFileSync(notes, "utf8")}0123`);
  const second = commitUnflushed("second");
  await git().flush([second]);
  expect(recorder.events).toContain(`fsync ${looseFile(second)}`);
  recorder.events.length = 0;
  await git().flush([second]);
  expect(recorder.events).toEqual([]);
});
