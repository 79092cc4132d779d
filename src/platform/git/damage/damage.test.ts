import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { recordFlushes } from "../../../../test/support/flush-recorder.ts";
import { testRepository, type TestRepository } from "../../../../test/support/repository.ts";
import { Failure } from "../../../domain/index.ts";
import { gitRunner, type RunGit } from "../process/run-git.ts";
import { findDamagedBranches } from "./damaged-branches.ts";
import { findDamagedObjects } from "./damaged-objects.ts";
import { asideFolder, setAside } from "./restore-objects.ts";
import { restoreBranch } from "./restore-branch.ts";

let repo: TestRepository;
let common: string;

beforeEach(() => {
  repo = testRepository();
  common = join(repo.path, ".git");
});

afterEach(() => repo.remove());

const objectFile = (id: string): string => join(common, "objects", id.slice(0, 2), id.slice(2));

const runner = (calls: string[][] = []): RunGit => {
  const run = gitRunner({ gitDir: common, env: process.env });
  return ((call: Parameters<RunGit>[0]) => {
    calls.push([...call.args]);
    return run(call);
  }) as RunGit;
};

function blob(text: string): string {
  repo.write("some.txt", text);
  return repo.git("hash-object", "-w", "some.txt");
}

describe("objects", () => {
  it("are damaged where they are empty, cut short or hold something else", () => {
    const [empty, cut, other, whole] = ["a\n", "b\n".repeat(500), "c\n", "d\n"].map(blob);
    for (const id of [empty, cut, other]) chmodSync(objectFile(id!), 0o644);
    truncateSync(objectFile(empty!), 0);
    truncateSync(objectFile(cut!), 12);
    writeFileSync(objectFile(other!), readFileSync(objectFile(whole!)));
    const found = findDamagedObjects(common, "all").map(({ id }) => id);
    expect(new Set(found)).toEqual(new Set([empty, cut, other]));
  });

  it("are not called damaged where they cannot be read: the look ends, and names the file", () => {
    const id = blob("a\n");
    rmSync(objectFile(id));
    mkdirSync(objectFile(id));
    const look = () => findDamagedObjects(common, "all");
    expect(look).toThrow(Failure);
    expect(look).toThrow(objectFile(id));
  });
});

describe("a file that is copied aside", () => {
  it("is on the disk with its folders before the original is replaced", () => {
    const path = join(common, "logs/HEAD");
    const recorder = recordFlushes();
    try {
      setAside(common, path, "copy");
    } finally {
      recorder.stop();
    }
    const copy = join(asideFolder(common), "logs/HEAD");
    expect(recorder.events).toEqual(
      expect.arrayContaining([copy, dirname(copy), asideFolder(common), common].map((one) => `fsync ${one}`)),
    );
  });
});

describe("a branch", () => {
  const mark = (name: string): void => {
    const value = JSON.stringify({ plan: "plan.md", base: "main", start: repo.git("rev-parse", "HEAD") });
    repo.git("config", `branch.${name}.pawl`, value);
  };

  it("whose file is empty is filled in one step, whatever git has packed of it", async () => {
    mark("pawl/plan");
    repo.git("branch", "pawl/plan");
    repo.git("pack-refs", "--all");
    const last = repo.git("commit-tree", "-p", "HEAD", "-m", "last", "HEAD^{tree}");
    repo.git("update-ref", "refs/heads/pawl/plan", last);
    truncateSync(join(common, "refs/heads/pawl/plan"), 0);
    const [damaged] = await findDamagedBranches(runner(), common, "tips", async () => []);
    expect(damaged).toMatchObject({ name: "pawl/plan", good: last });
    await restoreBranch(runner(), common, damaged!, []);
    expect(repo.git("rev-parse", "pawl/plan")).toBe(last);
    expect(existsSync(join(asideFolder(common), "refs/heads/pawl/plan"))).toBe(true);
  });

  it("of which only git's packed refs know a commit gets that", async () => {
    repo.git("branch", "pawl/plan");
    const packed = repo.git("rev-parse", "pawl/plan");
    repo.git("pack-refs", "--all");
    rmSync(join(common, "logs/refs/heads/pawl"), { recursive: true, force: true });
    mkdirSync(join(common, "refs/heads/pawl"), { recursive: true });
    writeFileSync(join(common, "refs/heads/pawl/plan"), "");
    expect(await findDamagedBranches(runner(), common, "tips", async () => [])).toMatchObject([
      { good: packed },
    ]);
  });

  it("is walked once because of a lost object that it does not lead to, not with each look", async () => {
    mark("pawl/plan");
    repo.git("branch", "pawl/plan");
    const lost = blob("lost\n");
    setAside(common, objectFile(lost));
    const walksOf = async (): Promise<number> => {
      const calls: string[][] = [];
      expect(await findDamagedBranches(runner(calls), common, "tips", async () => [])).toEqual([]);
      return calls.filter(([name]) => name === "rev-list").length;
    };
    expect([await walksOf(), await walksOf()]).toEqual([1, 0]);
    setAside(common, objectFile(blob("lost as well\n")));
    expect([await walksOf(), await walksOf()]).toEqual([1, 0]);
  });
});
