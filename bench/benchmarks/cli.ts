import type { Benchmark, Line } from "../benchmark.ts";
import { byTurns, median, percentile } from "../samples.ts";
import { bareNode, inRepository, pawl, pawlHook } from "../workbench.ts";
import { planText } from "../../test/support/plans.ts";

const STEPS = 20;
const HOOKS = ["session-start", "tool-use", "pre-compact", "stop", "session-end"] as const;

/**
 * One command, one process: the way agents call Pawl.
 *
 * Every round takes a step of its own from claim to complete, so no verb repeats what the round before did. Nothing
 * is tidied up in between: the write-ahead log grows and is folded in as it is in real life, and its cost is in the
 * figures.
 */
export const cli: Benchmark = {
  name: "cli",
  about: `a command in a fresh process, in a linked worktree, plans of ${STEPS} steps`,
  run: ({ quick }) =>
    inRepository(async (repository) => {
      const rounds = quick ? 3 : 100;
      const steps = Array.from({ length: STEPS }, (_, index) => ({
        number: String(index + 1),
        tasks: ["change it", "document it"],
        tests: ["test it"],
        checkpoints: ["look at it"],
      }));
      for (let plan = 0; plan * STEPS < rounds; plan += 1) {
        repository.write(nameOf(plan), planText(steps, `Plan ${plan}`));
        pawl(repository.path, "state", "init", nameOf(plan));
      }
      repository.git("add", "-A");
      repository.git("commit", "-q", "-m", "plans");
      const worktree = repository.addWorktree("worker");
      const samples = await byTurns(rounds, {
        "node -e 0": () => bareNode(worktree),
        "pawl --version": () => pawl(worktree, "--version"),
        "state claim": (round) => worker(worktree, round, "claim"),
        "state start": (round) => worker(worktree, round, "start"),
        "state heartbeat": (round) => worker(worktree, round, "heartbeat"),
        "state update": (round) => worker(worktree, round, "update", "--all", "completed"),
        "state complete": (round) => worker(worktree, round, "complete"),
        "prime --line, just changed": () => pawl(worktree, "prime", "--line"),
        "prime --line": () => pawl(worktree, "prime", "--line"),
        ...Object.fromEntries(HOOKS.map((name) => [`hook ${name}`, () => pawlHook(worktree, name)])),
      });
      const base = median(samples["node -e 0"]);
      const line = ([what, times]: [string, number[]]): Line => ({
        what,
        figures: {
          "p50 ms": median(times),
          "p90 ms": percentile(times, 0.9),
          ratio: median(times) / base,
        },
      });
      const goals: Readonly<Record<string, number>> = {
        "pawl --version": 1.25,
        "state claim": 1.5,
        "prime --line": 1.3,
        ...Object.fromEntries(HOOKS.map((name) => [`hook ${name}`, 1.5])),
      };
      return Object.entries(samples)
        .map(line)
        .map((one) => {
          const most = goals[one.what];
          return most === undefined ? one : { ...one, goal: { figures: ["ratio"], most } };
        });
    }),
};

const nameOf = (plan: number): string => `plan-${plan}.md`;

function worker(worktree: string, round: number, verb: string, ...more: readonly string[]): number {
  const step = verb === "claim" ? [] : [`step-${(round % STEPS) + 1}`];
  const plan = nameOf(Math.floor(round / STEPS));
  return pawl(worktree, "state", verb, plan, ...step, "--worktree", worktree, "--json", ...more);
}
