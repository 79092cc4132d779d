import { Failure } from "../../domain/errors.ts";
import { type PrimeAfter, primeLine, primeText } from "../../prompts/prime.ts";
import { WORKTREE_OPTION } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { snakeCase } from "../snake-case.ts";

const AFTER: readonly PrimeAfter[] = ["start", "resume", "compact"];

export const prime = defineCommand({
  name: "prime",
  about: "What an agent must know now, in at most 60 lines",
  more: `Its step, the checklist, what was already done, what verification said, the rules, and the verbs it may call. Text
from plans and programs stands behind | with its origin. Outside a repository and without a plan it says so and is
no failure, so it can stand in a hook. --line is for shells and status bars.`,
  operands: [],
  options: {
    ...WORKTREE_OPTION,
    line: { type: "flag", about: "One line for a status bar" },
    after: {
      type: "text",
      value: "WHAT",
      choices: AFTER,
      about: "What happened to the agent's memory: start, resume or compact",
    },
  },
  examples: ["pawl prime", "pawl prime --line", "pawl prime --after compact"],
  async run(context, { worktree, line, after = "start" }) {
    if (!isAfter(after))
      throw new Failure("usage/wrong", `--after is one of ${AFTER.join(", ")}.`, { after, known: AFTER });
    const pawl = await context.pawl();
    const seen = await pawl.prime({ worktree: worktree ?? (context.env["PAWL_WORKTREE"] || undefined) });
    if (line) return { data: snakeCase({ line: primeLine(seen) }), text: () => primeLine(seen) };
    const { workerCalls } = await import("../worker-calls.ts");
    const calls = await workerCalls({ plan: seen.step?.planPath, step: seen.step?.anchor });
    const text = primeText({ seen, after, calls });
    return { data: { ...snakeCase(seen), text }, text: () => text };
  },
});

const isAfter = (text: string): text is PrimeAfter => (AFTER as readonly string[]).includes(text);
