import { EXIT_CODES, plural, shellWord } from "../../domain/index.ts";
import type { VerifiedCommit } from "../../runs/index.ts";
import type { StopSignal } from "../../platform/ports/index.ts";
import type { CommandOutcome } from "../command.ts";
import { BY_SIGNAL } from "../by-signal.ts";
import type { Paint } from "./paint.ts";
import { snakeCase } from "../../journal/index.ts";

/** What the caller had said, so that it can say the same again. */
interface Said {
  readonly worktree: string;
  readonly claim?: number | undefined;
  readonly "allow-empty"?: boolean | undefined;
}

type Refusal = Exclude<VerifiedCommit["verification"]["outcome"], "completed">;

interface Words {
  readonly exit: number;
  /** How the step stands, where the reason does not say it. */
  readonly standing?: (answer: VerifiedCommit) => string;
  readonly next: (same: string) => string;
}

const WORDS: Readonly<Record<Refusal, Words>> = {
  rejected: {
    exit: EXIT_CODES.failed,
    standing: ({ anchor, verification }) =>
      `${anchor} is still yours, with ${plural(verification.attemptsLeft, "attempt")} left.`,
    next: (same) => `fix what is named above, then: ${same}`,
  },
  blocked: {
    exit: EXIT_CODES.decision,
    standing: ({ anchor }) => `${anchor} is blocked; its files stay as they are.`,
    next: () => "ask the person in charge to decide what becomes of it",
  },
  paused: {
    exit: EXIT_CODES.decision,
    next: (same) => `ask the person in charge, or try later: ${same}`,
  },
  cancelled: { exit: BY_SIGNAL.SIGTERM, next: (same) => same },
};

/** More is in the evidence. */
const MOST_LINES = 20;

/** Says what was checked, how that ended, and what comes next. */
export function refusedCommit(
  answer: VerifiedCommit,
  said: Said,
  signal: StopSignal | undefined,
): CommandOutcome {
  const { verification } = answer;
  const { exit, standing, next } = WORDS[verification.outcome as Refusal];
  return {
    data: snakeCase(answer),
    exitCode: verification.outcome === "cancelled" && signal !== undefined ? BY_SIGNAL[signal] : exit,
    text: (paint) =>
      [
        `${paint.red(answer.committed ? "Not completed:" : "Not committed:")} ${paint.plain(verification.because)}.`,
        ...evidenceLines(verification, paint),
        ...(standing ? [paint.plain(standing(answer))] : []),
        `  next: ${next(sameCall(answer, said, paint))}`,
      ].join("\n"),
  };
}

const evidenceLines = ({ evidence }: VerifiedCommit["verification"], paint: Paint): readonly string[] =>
  evidence.flatMap(({ checked, outcome, exitCode, output }) => [
    `  ${outcome === "passed" ? paint.green("passed") : paint.red(outcome.replaceAll("_", " "))} ${paint.plain(checked)}${exitCode === null || exitCode === 0 ? "" : `, exit code ${exitCode}`}`,
    ...(outcome === "passed" || output === ""
      ? []
      : output
          .split("\n")
          .slice(-MOST_LINES)
          .map((line) => `  ${paint.dim("|")} ${paint.plain(line)}`)),
  ]);

function sameCall({ planPath, anchor }: VerifiedCommit, said: Said, paint: Paint): string {
  const words = [
    `--plan ${shellWord(planPath)} --step ${shellWord(anchor)} --worktree ${shellWord(said.worktree)}`,
    ...(said.claim === undefined ? [] : [`--claim ${said.claim}`]),
    ...(said["allow-empty"] === true ? ["--allow-empty"] : []),
  ];
  return `pawl commit ${paint.plain(words.join(" "))}`;
}
