import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { flatPlan } from "../../test/support/plans.ts";
import type { Benchmark } from "../benchmark.ts";
import { byTurns, median, percentile } from "../samples.ts";
import { durableGit as git, inRepository, pawl } from "../workbench.ts";

const FILES = 200;

/**
 * A step's commit against git's own, flushed to the disk alike, and one start of the command line.
 *
 * What Pawl adds is one start of the command line, two transactions and one look at git; its own `git add` is counted
 * on git's side too. Both sides are given the message. Without one Pawl looks for it in the plan, which is a line of
 * its own.
 */
export const commit: Benchmark = {
  name: "commit",
  about: `one changed file of ${FILES}, committed and completed, in a linked worktree`,
  run: ({ quick }) =>
    inRepository(async (repository) => {
      const rounds = quick ? 3 : 40;
      for (let file = 0; file < FILES; file += 1) repository.write(`files/${file}`, `${file}\n`);
      repository.write("plan.md", flatPlan(2 * rounds));
      repository.git("add", "-A");
      repository.git("commit", "-q", "-m", "files");
      const worktree = repository.addWorktree("worker");
      pawl(worktree, "state", "init", "plan.md");
      const change = (round: number) =>
        writeFileSync(join(worktree, "changed"), `${round} ${Math.random()}\n`);
      const commitStep = (number: number, ...options: readonly string[]): number => {
        const step = `step-${number}`;
        pawl(worktree, "state", "claim", "plan.md", "--step", step, "--worktree", worktree);
        pawl(worktree, "state", "start", "plan.md", step, "--worktree", worktree);
        change(number);
        return pawl(
          worktree,
          "commit",
          "--plan",
          "plan.md",
          "--step",
          step,
          "--worktree",
          worktree,
          ...options,
        );
      };
      const samples = await byTurns(rounds, {
        "pawl state list": () => pawl(worktree, "state", "list"),
        "git add, git commit": (round) => {
          change(round);
          return git(worktree, "add", "-A") + git(worktree, "commit", "-q", "-m", "x");
        },
        "pawl commit": (round) => commitStep(2 * round + 1, "--message", "x"),
        "pawl commit, in the words of the plan": (round) => commitStep(2 * round + 2),
      });
      const start = median(samples["pawl state list"]);
      const plain = median(samples["git add, git commit"]);
      return Object.entries(samples).map(([what, times]) => {
        const figures = { "p50 ms": median(times), "p90 ms": percentile(times, 0.9) };
        if (!what.startsWith("pawl commit")) return { what, figures };
        const line = { what, figures: { ...figures, ratio: median(times) / (plain + start) } };
        return what === "pawl commit" ? { ...line, goal: { figures: ["ratio"], most: 1.5 } } : line;
      });
    }),
};
