import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { branchesByGit } from "../../src/platform/git/branches/branches-by-git.ts";
import { judgeTests, pathMatcher, weighTests } from "../../src/verification/index.ts";
import { cleanEnv, testRepository } from "../support/repository.ts";
import { type CorpusStep, corpusBase, corpusSteps } from "../support/test-corpus.ts";

const isTest = pathMatcher(["test/**"]);
const isProse = (path: string): boolean => path.endsWith(".md");

/** Judges steps as a run with `counterfactual = "reject"` does, on real trees. */
function courtroom() {
  const repo = testRepository();
  onTestFinished(() => repo.remove());
  for (const [name, text] of Object.entries(corpusBase())) repo.write(name, text);
  repo.git("add", "-A");
  repo.git("commit", "-q", "-m", "base");
  const base = repo.git("rev-parse", "HEAD^{tree}");
  const branches = branchesByGit({
    gitDir: join(repo.path, ".git"),
    env: cleanEnv(),
    files: {} as never,
    locks: () => Promise.reject(new Error("no locks")),
    scratchFolder: repo.path,
  });
  const treeOf = (files: CorpusStep["files"]): string => {
    repo.git("read-tree", "-u", "--reset", base);
    for (const [name, text] of Object.entries(files))
      if (text === null) repo.git("rm", "-q", "-f", name);
      else repo.write(name, text);
    repo.git("add", "-A");
    return repo.git("write-tree");
  };
  const checks = (tree: string): boolean => {
    repo.git("read-tree", "-u", "--reset", tree);
    return spawnSync(process.execPath, ["check.mjs"], { cwd: repo.path }).status === 0;
  };
  return async ({ files }: CorpusStep): Promise<boolean> => {
    const tree = treeOf(files);
    const changes = await branches.changedFiles({ from: base, to: tree, reads: isTest });
    const weighed = weighTests(
      changes.filter(({ path }) => !isProse(path)),
      isTest,
    );
    const isTried = weighed.bringsTests && weighed.changesCode;
    const old = isTried ? await branches.overlayTree({ from: base, to: tree, takes: isTest }) : undefined;
    const trial =
      old === undefined
        ? undefined
        : ({ kind: checks(old) ? "unproven" : "proven", checked: "node check.mjs", durationMs: 1 } as const);
    return judgeTests(trial, weighed.concerns).reasons.length > 0;
  };
}

it("tests that prove something are distinguished from those that do not: at least 95 % of bad steps are caught, at most 2 % of honest ones held back", async () => {
  const isHeldBack = courtroom();
  const steps = corpusSteps();
  const wrong: string[] = [];
  for (const step of steps) if ((await isHeldBack(step)) === step.isHonest) wrong.push(step.name);
  const bad = steps.filter(({ isHonest }) => !isHonest).length;
  const honest = steps.length - bad;
  expect(steps).toHaveLength(60);
  const held = wrong.filter((name) => name.startsWith("honest"));
  expect(held.length, held.join(", ")).toBeLessThanOrEqual(honest * 0.02);
  expect(wrong.length - held.length, wrong.join(", ")).toBeLessThanOrEqual(bad * 0.05);
});
