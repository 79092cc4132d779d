import { shellWord } from "../../domain/index.ts";
import type { PromptContext } from "./prompt-context.ts";
import { line, quoteOutput, words } from "./quote.ts";

type Part = (context: PromptContext) => string | undefined;

/**
 * The parts that prompts are put together from, by the names that users' templates know them by.
 *
 * A part that has nothing to say is left out.
 */
export const PARTS = {
  plan: {
    about: "The path of the plan",
    write: ({ plan }) => plan && line(plan.path),
  },
  anchor: { about: "The anchor of the step", write: ({ step }) => step && line(step.anchor) },
  title: { about: "The title of the step", write: ({ step }) => step && line(step.title) },
  step: {
    about: "The step's own text",
    write: ({ step }) => step && (words(step.body) || undefined),
  },
  references: {
    about: "What the step refers to",
    write: ({ step }) => (step?.references === undefined ? undefined : words(step.references)),
  },
  checklist: { about: "Tasks, tests and checkpoints with their state", write: checklist },
  substeps: {
    about: "The step's substeps with their state",
    write: ({ step }) =>
      list(step?.substeps.map(({ anchor, title, status }) => `${line(anchor)}: ${line(title)} (${status})`)),
  },
  verdicts: { about: "What verification said about earlier attempts", write: verdicts },
  done: {
    about: "What was already done",
    write: ({ done }) => list(done.slice(-MOST_DONE).map(line)),
  },
  artifacts: {
    about: "What others have left for this step, such as a strategy",
    write: ({ artifacts }) =>
      joined(artifacts.map(({ kind, text }) => `### ${line(kind)}\n\n${words(text)}`)),
  },
  focus: {
    about: "What the person wants the session to look at",
    write: ({ focus }) => (focus === undefined ? undefined : words(focus)),
  },
  spec_id: { about: "The spec that is to be implemented", write: ({ specId }) => specId && line(specId) },
  iteration: {
    about: "Which iteration this is",
    write: ({ iteration }) => iteration && `${iteration.number} of ${iteration.most}`,
  },
  diagnostics: {
    about: "What is wrong with the plan that was written before",
    write: ({ diagnostics }) => list(diagnostics.map(line)),
  },
  ticking: { about: "How to tick the items of the checklist", write: ticking },
} as const satisfies Record<string, { readonly about: string; readonly write: Part }>;

export type PartName = keyof typeof PARTS;

const MOST_DONE = 50;
const MOST_VERDICTS = 3;

const list = (lines: readonly string[] | undefined): string | undefined =>
  lines === undefined || lines.length === 0 ? undefined : lines.map((text) => `- ${text}`).join("\n");

const joined = (blocks: readonly string[]): string | undefined =>
  blocks.length === 0 ? undefined : blocks.join("\n\n");

const BOXES = { open: "[ ]", in_progress: "[ ]", completed: "[x]", deferred: "[~]" } as const;

function checklist({ step }: PromptContext): string | undefined {
  return list(
    step?.items.map(
      ({ kind, ordinal, text, status }) => `${BOXES[status]} ${kind} ${ordinal}: ${line(text)}`,
    ),
  );
}

/** The newest last, where it is read last. */
function verdicts({ verdicts: all }: PromptContext): string | undefined {
  return joined(
    all
      .slice(-MOST_VERDICTS)
      .map(
        ({ attempt, passed, at, checked, output: printed }) =>
          `Attempt ${attempt} ${passed ? "passed" : "failed"} (${at}), checked with ${line(checked)}:\n\n${quoteOutput(printed)}`,
      ),
  );
}

function ticking({ plan, step }: PromptContext): string | undefined {
  if (plan === undefined || step === undefined || step.items.length === 0) return undefined;
  const [first] = step.items;
  const address = [plan.path, step.anchor].map((text) => shellWord(line(text))).join(" ");
  return `pawl state update ${address} --${first!.kind} ${first!.ordinal} completed`;
}

/** A heading and a part; nothing when the part has nothing to say. */
export function section(heading: string, name: PartName, context: PromptContext): string | undefined {
  const text = PARTS[name].write(context);
  return text === undefined ? undefined : `## ${heading}\n\n${text}`;
}

/** What there is, one after the other. */
export const together = (...blocks: readonly (string | undefined)[]): string =>
  `${blocks.filter((block) => block !== undefined).join("\n\n")}\n`;
