import { Failure } from "../domain/index.ts";
import { type BuildQuestion, EXISTING_CHOICES, type ExistingChoice } from "../runs/index.ts";
import type { AskKey } from "./context.ts";
import { localTimes } from "./text/times.ts";
import { plainPaint } from "./text/paint.ts";
import { paragraph } from "./text/paragraph.ts";
import { reviewLines } from "./text/show-build.ts";

/** What was said on the command line about a build that is there already. */
export function existingChoice(values: {
  readonly existing?: string | undefined;
  readonly "auto-continue"?: boolean | undefined;
}): ExistingChoice | undefined {
  const { existing, "auto-continue": goesOn } = values;
  if (existing !== undefined && goesOn)
    throw new Failure("usage/wrong", "--existing and --auto-continue exclude each other.", {});
  return goesOn ? "continue" : EXISTING_CHOICES.find((choice) => choice === existing);
}

const KEYS: Readonly<Record<string, ExistingChoice>> = {
  C: "continue",
  R: "review",
  M: "merge",
  F: "fresh",
};

/** Asks until something is to be done: after a review the question is the same. */
export const askAboutBuild =
  (ask: AskKey, columns: () => number) =>
  async ({ found, review }: BuildQuestion): Promise<ExistingChoice | undefined> => {
    let before: readonly string[] = paragraph(
      localTimes(`There is a build already: ${found}.`),
      0,
      columns(),
    ).split("\n");
    for (;;) {
      const key = await ask(
        [...before, "[C]ontinue, [R]eview, [M]erge, start [F]resh (it is kept aside)?"],
        Object.keys(KEYS),
      );
      const choice = key === undefined ? undefined : KEYS[key];
      if (choice !== "review") return choice;
      before = reviewLines(await review(), plainPaint(columns()));
    }
  };
