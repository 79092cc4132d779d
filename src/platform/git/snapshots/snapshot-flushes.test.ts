import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type FlushRecorder, recordFlushes } from "../../../../test/support/flush-recorder.ts";
import { cleanEnv, testRepository, type TestRepository } from "../../../../test/support/repository.ts";
import { systemClock } from "../../os/system-clock.ts";
import type { Snapshots } from "../../ports/snapshots.ts";
import { gitSnapshots } from "./git-snapshots.ts";

/** A snapshot is the reason why files may go, so it is on the disk before it is answered. */

let repo: TestRepository;
let gitDir: string;
let snapshots: Snapshots;
let recorder: FlushRecorder;

beforeEach(() => {
  repo = testRepository();
  gitDir = join(repo.path, ".git");
  repo.write("folder/tracked", "committed\n");
  repo.git("add", "-A");
  repo.git("commit", "-qm", "files");
  repo.write("folder/tracked", "changed\n");
  snapshots = gitSnapshots({
    commonDir: gitDir,
    env: cleanEnv(),
    clock: systemClock,
    scratchDir: join(gitDir, "pawl/scratch"),
    ignored: false,
  });
  recorder = recordFlushes();
});

afterEach(() => {
  recorder.stop();
  repo.remove();
});

const worktree = () => ({ path: repo.path, id: "main" });

const take = async () => (await snapshots.take(worktree(), "a test"))!;

it("flushes what a snapshot builds on, then writes it with everything flushed, then its names", async () => {
  const { ref } = await take();
  const written = recorder.at(/^git .*core\.fsync=all .*fast-import/);
  expect(recorder.at(/^sync .*objects$/)).toBeGreaterThan(-1);
  expect(recorder.at(/^sync .*objects$/)).toBeLessThan(written);
  expect(recorder.at(`fsync ${join(gitDir, "objects/pack")}`)).toBeGreaterThan(written);
  for (const folder of ["refs/pawl", "refs/pawl/snapshots", join(ref, "..")])
    expect(recorder.at(`fsync ${join(gitDir, folder)}`)).toBeGreaterThan(written);
});

it("flushes what only the index holds before the snapshot names it", async () => {
  const head = repo.git("rev-parse", "HEAD");
  fs.writeFileSync(join(gitDir, "pawl-settled"), `${head}\n`);
  repo.write("staged", "only in the index\n");
  repo.git("-c", "core.fsync=none", "add", "staged");
  const blob = repo.git("rev-parse", ":staged");
  repo.write("staged", "another\n");
  await take();
  const flushed = recorder.at(`fsync ${join(gitDir, "objects", blob.slice(0, 2), blob.slice(2))}`);
  expect(flushed).toBeGreaterThan(-1);
  expect(flushed).toBeLessThan(recorder.at(/fast-import/));
});

it("drops no ref that holds another commit by now", async () => {
  const snapshot = await take();
  const other = repo.git("rev-parse", "HEAD");
  repo.git("update-ref", snapshot.ref, other);
  await expect(snapshots.drop(snapshot)).rejects.toMatchObject({ problem: "git/failed" });
  expect(repo.git("rev-parse", snapshot.ref)).toBe(other);
});

it("flushes each restored file before it takes its place, and the folders then", async () => {
  const snapshot = await take();
  repo.write("folder/tracked", "changed again\n");
  recorder.events.length = 0;
  await snapshots.restore(snapshot, worktree());
  const file = join(repo.path, "folder/tracked");
  const placed = recorder.at(new RegExp(`^rename .* ${file}$`));
  const flushed = recorder.at(/^fsync .*folder\/\.pawl-[0-9a-f]+$/);
  expect(flushed).toBeGreaterThan(-1);
  expect(flushed).toBeLessThan(placed);
  expect(recorder.at(`fsync ${join(repo.path, "folder")}`)).toBeGreaterThan(placed);
  expect(recorder.events.lastIndexOf(`fsync ${gitDir}`)).toBeGreaterThan(
    recorder.at(`rename ${join(gitDir, "index.lock")} ${join(gitDir, "index")}`),
  );
});

it("flushes a restored folder before it has its name", async () => {
  const snapshot = await take();
  recorder.events.length = 0;
  const target = join(repo.path, "../restored");
  await snapshots.restoreTo(snapshot, target);
  const named = recorder.at(/^rename .*\.restored\.pawl-[0-9a-f]+ .*\/restored$/);
  expect(recorder.at(/^sync .*\.restored\.pawl-/)).toBeGreaterThan(-1);
  expect(recorder.at(/^sync .*\.restored\.pawl-/)).toBeLessThan(named);
  expect(recorder.events.slice(named).some((event) => event === `fsync ${join(target, "..")}`)).toBe(true);
});

it("flushes a file that a power cut had emptied before it takes its place again", async () => {
  repo.git("checkout", "-q", "--", ".");
  repo.write("folder/tracked", "");
  const head = repo.git("rev-parse", "HEAD");
  const restored = await snapshots.restoreCutShort(worktree(), {
    known: [{ tree: head, isSnapshot: false }],
    evenShorter: false,
    because: "a test",
  });
  expect(restored?.files).toEqual(["folder/tracked"]);
  const placed = recorder.at(new RegExp(`^rename .* ${join(repo.path, "folder/tracked")}$`));
  const flushed = recorder.at(/^fsync .*folder\/\.pawl-[0-9a-f]+$/);
  expect(flushed).toBeGreaterThan(-1);
  expect(flushed).toBeLessThan(placed);
  expect(recorder.at(`fsync ${join(repo.path, "folder")}`)).toBeGreaterThan(placed);
  expect(fs.readFileSync(join(repo.path, "folder/tracked"), "utf8")).toBe("committed\n");
});
