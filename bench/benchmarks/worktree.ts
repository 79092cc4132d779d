import { join } from "node:path";
import { flatPlan } from "../../test/support/plans.ts";
import type { TestRepository } from "../../test/support/repository.ts";
import type { Benchmark, Line } from "../benchmark.ts";
import { byTurns, median, percentile } from "../samples.ts";
import { bareNode, durableGit as git, inRepository, node, pawl } from "../workbench.ts";

/** Making a worktree against git's own `worktree add`, flushed to the disk alike; and looking at fifty of them. */
export const worktree: Benchmark = {
  name: "worktree",
  about: "a worktree for a plan, made by a fresh process; its start is taken off. And the list of 50",
  run: async ({ quick }) => [
    ...(await creating(quick ? 20 : 100, quick ? 2 : 25)),
    ...(await creating(quick ? 50 : 5_000, quick ? 2 : 15)),
    ...(await listing(quick ? 3 : 50, quick ? 2 : 15)),
  ],
};

const creating = (files: number, rounds: number): Promise<readonly Line[]> =>
  inRepository(async (repository) => {
    fill(repository, files);
    const { path } = repository;
    const samples = await byTurns(rounds, {
      "node -e 0": () => bareNode(path),
      "pawl state list": () => pawl(path, "state", "list"),
      "git worktree add": (round) =>
        git(path, "worktree", "add", "-q", "-b", `git-${round}`, join(path, "..", `git-${round}`)),
      "git worktree add, started by Node": (round) =>
        node(path, "-e", START_GIT, `node-${round}`, join(path, "..", `node-${round}`)),
      "worktree create": (round) => pawl(path, "worktree", "create", "plan.md", "--name", `pawl-${round}`),
    });
    const plain = median(samples["git worktree add"]);
    const against = (what: keyof typeof samples, start: keyof typeof samples) => ({
      what: `${what}, ${files} files`,
      figures: {
        ...figuresOf(samples[what]),
        ratio: (median(samples[what]) - median(samples[start])) / plain,
      },
    });
    return [
      { what: `git worktree add, ${files} files`, figures: figuresOf(samples["git worktree add"]) },
      against("git worktree add, started by Node", "node -e 0"),
      {
        ...against("worktree create", "pawl state list"),
        goal: { figures: ["ratio"], most: 1.3 },
      },
    ];
  });

/** The least that any program on Node pays for this one call of git: it does nothing else, and reads no answer. */
const START_GIT = `
  const [, branch, path] = process.argv;
  const args = ["-c", "core.fsync=all", "-c", "gc.auto=0", "worktree", "add", "-q", "-b", branch, path];
  require("node:child_process").spawn("git", args, { stdio: "ignore" }).on("exit", (code) => process.exit(code));
`;

const listing = (count: number, rounds: number): Promise<readonly Line[]> =>
  inRepository(async (repository) => {
    fill(repository, 200);
    const { path } = repository;
    for (let one = 0; one < count; one += 1)
      pawl(path, "worktree", "create", "plan.md", "--name", `w-${one}`);
    const { list } = await byTurns(rounds, { list: () => pawl(path, "worktree", "list") });
    const what = `worktree list, ${count} worktrees`;
    return [{ what, figures: figuresOf(list), goal: { figures: ["p50 ms"], most: 1_000 } }];
  });

function fill(repository: TestRepository, files: number): void {
  for (let file = 0; file < files; file += 1)
    repository.write(`files/${file % 100}/${file}`, `file ${file}\n`.repeat(20));
  repository.write("plan.md", flatPlan(10));
  repository.git("add", "-A");
  repository.git("commit", "-q", "-m", "files");
  pawl(repository.path, "state", "init", "plan.md");
}

const figuresOf = (times: readonly number[]) => ({
  "p50 ms": median(times),
  "p90 ms": percentile(times, 0.9),
});
