import { describe, expect, it } from "vitest";
import { seededRandom } from "../support/random.ts";
import { expectReplayed } from "../support/replay/expect-replayed.ts";
import { replay } from "../support/replay/replay.ts";
import { type Change, type SourceHistory, sourceHistory } from "../support/replay/source-history.ts";

/** The long version, with more of everything, is test/crash/history-replay.test.ts. */
const SEED = Number(process.env["PAWL_REPLAY_SEED"] ?? 1);

// proves G-resumes-where-it-stopped, G-never-completed-twice
it("agents that misbehave and four kills of everything end with the tree of the history", async () => {
  expectReplayed(await replay({ seed: SEED, steps: 12, workers: 4, kills: 4, limitMs: 100_000 }));
});

describe("a source history", () => {
  const histories = [1, 2, 3, SEED].map((seed) => sourceHistory(seed, 40));

  it("ends with the same files in every order that obeys its dependencies", () => {
    for (const history of histories)
      for (const seed of [1, 2, 3]) expect(filesAfter(history, seed)).toEqual(history.final);
  });

  it("has commits that build on others, and some that change one file side by side", () => {
    for (const { commits } of histories) {
      const changes = commits.flatMap((commit) => commit.changes);
      const count = (isSo: (change: Change) => boolean) => changes.filter(isSo).length;
      expect(count(({ from, to, isPart }) => from !== null && to !== null && !isPart)).toBeGreaterThan(20);
      expect(count(({ to }) => to === null)).toBeGreaterThan(5);
      expect(count(({ isPart = false }) => isPart)).toBeGreaterThan(5);
      expect(commits.filter(({ dependsOn }) => dependsOn.length > 0).length).toBeGreaterThan(25);
      expect(commits.filter(({ reads }) => reads.length > 0).length).toBeGreaterThan(5);
    }
  });
});

/** What an order by chance ends with; each commit must find what it builds on. */
function filesAfter({ base, commits }: SourceHistory, seed: number): ReadonlyMap<string, string> {
  const random = seededRandom(seed);
  const files = new Map(base);
  const done = new Set<number>();
  while (done.size < commits.length) {
    const ready = commits.filter(
      ({ number, dependsOn }) => !done.has(number) && dependsOn.every((one) => done.has(one)),
    );
    const { number, changes, reads } = random.pick(ready);
    for (const change of [...reads, ...changes]) apply(files, change);
    done.add(number);
  }
  return files;
}

function apply(files: Map<string, string>, { path, from, to, isPart = false }: Change): void {
  const found = files.get(path) ?? null;
  expect(isPart ? found?.includes(from!) : found === from, `${path} before its change`).toBe(true);
  if (to === null) files.delete(path);
  else files.set(path, isPart ? found!.replace(from!, () => to) : to);
}
