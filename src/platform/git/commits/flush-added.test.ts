import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type FlushRecorder, recordFlushes } from "../../../../test/support/flush-recorder.ts";
import { cleanEnv, testRepository, type TestRepository } from "../../../../test/support/repository.ts";
import type { Worktree } from "../../ports/repository.ts";
import { commitsCli } from "./commits-cli.ts";
import { FLUSH_OBJECTS_LATER } from "./flush-added.ts";

let repo: TestRepository;
let recorder: FlushRecorder;

beforeEach(() => {
  repo = testRepository();
  recorder = recordFlushes();
});

afterEach(() => {
  recorder.stop();
  repo.remove();
});

const tree = () => commitsCli(cleanEnv()).tree({ path: repo.path, id: "main" } as Worktree);

const looseFile = (name: string): string => join(repo.path, ".git/objects", name.slice(0, 2), name.slice(2));

it("flushes what a tree is made of before the tree is written", async () => {
  repo.write("a.txt", "a\n");
  const made = await tree();
  const blob = looseFile(repo.git("hash-object", "a.txt"));
  expect(recorder.at(`fsync ${blob}`)).toBeGreaterThan(
    recorder.at(/^git .*core\.fsync=pack,derived-metadata,reference,index .* add/),
  );
  const written = recorder.events.findIndex(
    (one) => one.startsWith("rename ") && one.endsWith(looseFile(made)),
  );
  expect(recorder.at(`fsync ${blob}`)).toBeLessThan(written);
});

it("flushes many at once", async () => {
  for (let file = 0; file < 20; file += 1) repo.write(`${file}.txt`, `${file}\n`);
  await tree();
  expect(recorder.events.filter((one) => one.startsWith("sync "))).toHaveLength(1);
  // The tree itself is the one file that is flushed alone.
  expect(recorder.events.filter((one) => /^fsync .*objects/.test(one))).toHaveLength(1);
});

it("flushes everything where only git can read the index", async () => {
  repo.write("a.txt", "a\n");
  repo.git("add", "-A");
  repo.git("update-index", "--split-index");
  repo.write("b.txt", "b\n");
  await tree();
  expect(recorder.at(/^sync .*objects$/)).toBeGreaterThan(-1);
});

it("flushes nothing where nothing was added", async () => {
  repo.write("a.txt", "a\n");
  repo.git("add", "-A");
  repo.git("commit", "-q", "-m", "a");
  await tree();
  recorder.events.length = 0;
  await tree();
  expect(recorder.events.filter((one) => /^f?sync /.test(one))).toEqual([]);
});

it("has git itself flush none of the objects that it adds", () => {
  const flushesOf = (fsync: string, folder: string): number => {
    for (let file = 0; file < 20; file += 1) repo.write(`${folder}/${file}`, `${folder} ${file}\n`);
    const trace = join(repo.path, ".git", `trace-${folder}`);
    const env = { ...cleanEnv(), GIT_TRACE2_EVENT: trace };
    execFileSync("git", ["-c", `core.fsync=${fsync}`, "add", folder], { cwd: repo.path, env });
    return Number(/hardware-flush","[a-z]+":"?(\d+)/.exec(readFileSync(trace, "utf8"))?.[1] ?? 0);
  };
  expect(flushesOf("all", "one")).toBeGreaterThanOrEqual(20);
  expect(flushesOf(FLUSH_OBJECTS_LATER, "other")).toBeLessThan(5);
});
