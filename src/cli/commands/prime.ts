import { Failure } from "../../domain/index.ts";
import { loadPrimeText, type PrimeAfter } from "../../agent-sessions/index.ts";
import { WORKTREE_OPTION } from "../caller-options.ts";
import { defineCommand, type CommandOutcome } from "../command.ts";
import type { Context } from "../context.ts";
import { cacheAnswer, cachedAnswer, cacheKeyOf } from "../hooks/answer-cache.ts";
import { quickState } from "../hooks/quick-state.ts";
import { isInRun } from "../is-in-run.ts";
import { snakeCase } from "../../journal/index.ts";

const AFTER: readonly PrimeAfter[] = ["start", "resume", "compact"];

export const primeCommand = defineCommand({
  name: "prime",
  more: `Prints its step, the checklist, the work so far, the verdicts, the rules, and the verbs it may call. Text
from plans and programs follows | with its origin. Outside a repository and without a plan it says so and exits with
0, so that a hook can call it. --line is for shells and status bars.`,
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
    try {
      if (line) return lineOutcome(await statusLine(context, worktree));
      return await primed(context, worktree, after);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.problem !== "repository/not-found") throw forPerson(error);
      return line
        ? lineOutcome("")
        : { data: { step: null, text: NO_REPOSITORY }, text: () => NO_REPOSITORY };
    }
  },
});

const NO_REPOSITORY =
  "This is not a git repository, so Pawl has no plan here. If you should work on a plan, ask the person where it is.";

/** The caller is an agent that has not read a rule yet: it must not fix settings or databases itself. */
const forPerson = ({ problem, message, details, hint, cause }: Failure): Failure =>
  new Failure(problem, message, details, { cause, hint: `Ask the person in charge. ${hint}` });

async function primed(
  context: Context,
  worktree: string | undefined,
  after: PrimeAfter,
): Promise<CommandOutcome> {
  const pawl = await context.pawl();
  const seen = await pawl.prime({
    worktree: worktree ?? (context.env["PAWL_WORKTREE"] || undefined),
    withDecisions: true,
  });
  const { primeText } = await loadPrimeText();
  const { workerCalls } = await import("../worker-calls.ts");
  const calls = await workerCalls(
    { plan: seen.step?.planPath, step: seen.step?.anchor },
    { inRun: await isInRun(context) },
  );
  const text = primeText({ seen, after, calls });
  return { data: { ...snakeCase(seen), text }, text: () => text };
}

const lineOutcome = (text: string): CommandOutcome => ({ data: { line: text }, text: () => text });

/** For status bars, which ask all the time: from what was kept while nothing has changed. */
async function statusLine(context: Context, worktree: string | undefined): Promise<string> {
  const quick = worktree === undefined ? quickState(context.cwd, context.env) : undefined;
  const nowMs = Date.now();
  const kept = quick && cachedAnswer(quick, "line", nowMs);
  if (kept !== undefined) return kept;
  const seen = quick && cacheKeyOf(quick);
  const { primeLine } = await loadPrimeText();
  const pawl = await context.pawl();
  const line = primeLine(
    await pawl.prime({ worktree: worktree ?? (context.env["PAWL_WORKTREE"] || undefined) }),
  );
  if (quick && seen !== undefined)
    cacheAnswer(context.files, quick, "line", { seen, atMs: nowMs, text: line });
  return line;
}

const isAfter = (text: string): text is PrimeAfter => (AFTER as readonly string[]).includes(text);
