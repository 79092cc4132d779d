import type { TestsConcern } from "./weigh-tests.ts";

/** What came of a step's tests on the code from before the step. */
export type TestsTrial =
  /** `proven`: the check fails there, as it should. */
  | { readonly kind: "proven" | "unproven"; readonly checked: string; readonly durationMs: number }
  /** The check needs files that only the worktree has. */
  | { readonly kind: "untried"; readonly because: string };

export interface TestsJudged {
  /** Everything that a person should know. */
  readonly lines: readonly string[];
  /** Those of them that are reason enough to send the step back. */
  readonly reasons: readonly string[];
  /** As evidence has it. */
  readonly output: string;
}

/** Says what a trial and a look at the tests mean together. */
export function judgeTests(trial: TestsTrial | undefined, concerns: readonly TestsConcern[]): TestsJudged {
  const lines = [...linesOf(trial), ...concerns.map(({ says }) => says)];
  const reasons = [
    ...(trial?.kind === "unproven" ? linesOf(trial) : []),
    ...concerns.filter(({ isClear }) => isClear).map(({ says }) => says),
  ];
  const output = [
    ...(reasons.length > 0 ? [ASKED] : []),
    ...(trial?.kind === "proven" ? [asItShould(trial)] : []),
    ...lines.map((line) => `- ${line}`),
  ];
  return { lines, reasons, output: output.join("\n") };
}

const ASKED =
  "The step's tests do not prove its change. Write tests that fail without the change, and leave the others in place:";

function linesOf(trial: TestsTrial | undefined): readonly string[] {
  if (trial?.kind === "unproven")
    return [`${trial.checked} passes with them on the code from before the step`];
  return trial?.kind === "untried" ? [`they were not tried on the code from before: ${trial.because}`] : [];
}

const asItShould = ({
  checked,
  durationMs,
}: {
  readonly checked: string;
  readonly durationMs: number;
}): string => `${checked} fails on the code from before, as it should (${(durationMs / 1000).toFixed(1)} s)`;
