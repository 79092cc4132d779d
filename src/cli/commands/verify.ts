import { EXIT_CODES, shellWord } from "../../domain/index.ts";
import { whereRun } from "../../verification/index.ts";
import type { VerifyAnswer } from "../../runs/index.ts";
import { BY_SIGNAL } from "../by-signal.ts";
import { PLAN, STEP } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { withReporter } from "../text/run-reporter.ts";
import { snakeCase } from "../../journal/index.ts";

/** An interruption goes by its signal. */
const EXITS: Readonly<Record<Exclude<VerifyAnswer["outcome"], "interrupted">, number>> = {
  passed: 0,
  failed: EXIT_CODES.failed,
  timed_out: EXIT_CODES.decision,
  paused: EXIT_CODES.decision,
};

export const verifyCommand = defineCommand({
  name: "verify",
  more: `For a step that is blocked, or whose session was interrupted: Pawl verifies its work in place, with the
longer limit of \`verify.extended_max_turns\`, and keeps all evidence. A step that fails is blocked for a person.`,
  operands: [PLAN, STEP],
  options: {
    worktree: {
      type: "text",
      value: "PATH",
      about: "Where the work is; where it was last done when left out",
    },
  },
  examples: ["pawl verify plan.md step-3"],
  async run(context, { worktree }, [plan = "", step = ""]) {
    const pawl = await context.pawl();
    const interruption = context.interruption();
    const answer = await withReporter(context, (onEvent) =>
      pawl.verify({ plan, step, worktree, interruption, onEvent }),
    );
    return {
      data: snakeCase(answer),
      exitCode:
        answer.outcome === "interrupted"
          ? BY_SIGNAL[interruption.signal() ?? "SIGINT"]
          : EXITS[answer.outcome],
      text(paint) {
        const where = whereRun(answer.evidence);
        return [
          `${answer.outcome === "passed" ? paint.green("passed") : paint.red(answer.outcome)} ${paint.bold(answer.anchor)}: ${paint.plain(answer.because)}${where === undefined ? "" : ` (${where})`}`,
          ...answer.evidence
            .filter(({ outcome }) => outcome !== "passed")
            .flatMap(({ output }) => output.split("\n").map((line) => `  ${paint.plain(line)}`)),
          ...(answer.outcome === "interrupted"
            ? [
                `  next: pawl verify ${paint.plain(`${shellWord(answer.planPath)} ${shellWord(answer.anchor)}`)}`,
              ]
            : []),
          ...(answer.commit === null ? [] : [`completed with ${paint.plain(answer.commit.slice(0, 12))}`]),
        ].join("\n");
      },
    };
  },
});
