import { checklistOf, tickExample } from "./checklist.ts";
import { type Block, blockText, type Section } from "./fit.ts";
import type { PromptContext } from "./prompt-context.ts";
import { line, output, words } from "./quote.ts";

interface Part {
  readonly about: string;
  readonly blocks: (context: PromptContext) => readonly Block[];
  /** The lowest is cut first where a prompt is too long. */
  readonly importance?: number;
  readonly keep?: Section["keep"];
  /** Where an agent finds the whole of it. */
  readonly elsewhere?: string;
}

const own = (text: string | undefined): readonly Block[] => (text === undefined ? [] : [{ text }]);

/** The words of others: what they say stays inside their fence. */
const quoted = (text: string | undefined, label?: string): readonly Block[] => {
  const shown = text === undefined ? "" : words(text);
  return shown === "" ? [] : [{ label, text: shown, quoted: "markdown" }];
};

const list = (lines: readonly string[]): readonly Block[] =>
  lines.length === 0 ? [] : [{ text: lines.map((text) => `- ${text}`).join("\n") }];

const REFUSED =
  "Your permissions do not allow these. Do the step without them; if that is impossible, say so and end.";

const MOST_DONE = 50;
const MOST_EARLIER = 40;
const MOST_VERDICTS = 3;
const MOST_GOAL = 2000;

/**
 * The parts that prompts are put together from, by the names that users' templates know them by.
 *
 * A part that has nothing to say is left out.
 */
export const PARTS = {
  plan: { about: "The path of the plan", blocks: ({ plan }) => own(plan && line(plan.path)) },
  plan_title: {
    about: "The title of the plan",
    blocks: ({ plan }) => own(plan?.title === undefined ? undefined : line(plan.title)),
  },
  goal: {
    about: "What the plan is for",
    blocks: ({ plan }) => quoted(plan?.goal?.slice(0, MOST_GOAL)),
    importance: 4,
    elsewhere: "the plan has it",
  },
  position: {
    about: "Which step of how many this is",
    blocks: ({ step }) =>
      own(step?.number === undefined ? undefined : `step ${step.number} of ${step.total}`),
  },
  anchor: { about: "The anchor of the step", blocks: ({ step }) => own(step && line(step.anchor)) },
  title: { about: "The title of the step", blocks: ({ step }) => own(step && line(step.title)) },
  step: {
    about: "The step's own text, without its checklist",
    blocks: ({ step }) => quoted(step?.body),
    importance: 9,
    elsewhere: "the plan has it",
  },
  references: {
    about: "The references of the step, with their text",
    blocks: references,
    importance: 6,
    elsewhere: "the plan has it",
  },
  earlier: {
    about: "The steps that are completed, with their commits",
    blocks: ({ earlier = [] }) =>
      list([
        ...(earlier.length > MOST_EARLIER ? [`${earlier.length - MOST_EARLIER} steps before these`] : []),
        ...earlier
          .slice(-MOST_EARLIER)
          .map(
            ({ anchor, title, commit }) =>
              `${line(anchor)}${commit === undefined ? "" : ` (${line(commit)})`}: ${line(title)}`,
          ),
      ]),
    importance: 2,
    keep: "end",
    elsewhere: "git log has it",
  },
  handover: {
    about: "Notes from the agents of earlier steps",
    blocks: ({ handovers = [] }) =>
      handovers.flatMap(({ anchor, kind, text }) => quoted(text, `From ${line(anchor)}, ${line(kind)}:`)),
    importance: 3,
    elsewhere: "pawl state artifacts has the rest",
  },
  checklist: {
    about: "Tasks, tests and checkpoints with their state, and the command that ticks each",
    blocks: (context) => checklistOf(context),
    importance: 10,
    elsewhere: "pawl state show lists all items",
  },
  items: {
    about: "The same without commands, for agents that do not tick",
    blocks: (context) => checklistOf(context, "plain"),
    importance: 10,
    elsewhere: "pawl state show lists all items",
  },
  substeps: {
    about: "The step's substeps with their state",
    blocks: ({ step }) =>
      list(
        (step?.substeps ?? []).map(
          ({ anchor, title, status }) => `${line(anchor)}: ${line(title)} (${status})`,
        ),
      ),
    importance: 8,
    elsewhere: "the plan has them",
  },
  checks: {
    about: "What Pawl runs on the work",
    blocks: ({ checks = [] }) => own(checks.map((check) => `\`${line(check)}\``).join(", ") || undefined),
  },
  messages: {
    about: "What a person has sent to the agent",
    blocks: ({ messages = [] }) =>
      messages.flatMap(({ number, at, text }) => quoted(text, `Message ${number}, ${at}:`)),
    importance: 11,
    keep: "end",
    elsewhere: "pawl state events has them",
  },
  verdicts: {
    about: "Verification of earlier attempts",
    blocks: verdicts,
    importance: 7,
    keep: "end",
    elsewhere: "pawl explain has it",
  },
  refused: {
    about: "What the permissions refused to earlier attempts",
    blocks: ({ refused = [] }) =>
      refused.length === 0 ? [] : [{ text: REFUSED }, ...list(refused.map((what) => `\`${line(what)}\``))],
    importance: 7,
    keep: "end",
    elsewhere: "pawl explain has it",
  },
  done: {
    about: "Done so far",
    blocks: ({ done }) => list(done.slice(-MOST_DONE).map(line)),
    importance: 5,
    keep: "end",
    elsewhere: "git status and git log show it",
  },
  artifacts: {
    about: "Notes that other agents left on this step, such as a strategy",
    blocks: ({ artifacts }) => artifacts.flatMap(({ kind, text }) => quoted(text, `${line(kind)}:`)),
    importance: 7,
    elsewhere: "pawl state artifacts has the rest",
  },
  focus: {
    about: "What the person wants the session to focus on",
    blocks: ({ focus }) => own(focus === undefined ? undefined : words(focus)),
    importance: 11,
    elsewhere: "",
  },
  spec_id: {
    about: "The spec to implement",
    blocks: ({ specId }) => own(specId === undefined ? undefined : line(specId)),
  },
  iteration: {
    about: "Which iteration this is",
    blocks: ({ iteration }) => own(iteration && `${iteration.number} of ${iteration.most}`),
  },
  diagnostics: {
    about: "Errors in the plan that was written before",
    blocks: ({ diagnostics }) => list(diagnostics.map(line)),
    importance: 9,
    elsewhere: "pawl plan check prints it",
  },
  ticking: { about: "How to tick an item of the checklist", blocks: (context) => own(tickExample(context)) },
} as const satisfies Record<string, Part>;

export type PartName = keyof typeof PARTS;

function references({ step }: PromptContext): readonly Block[] {
  if (step?.references === undefined) return [];
  const { passages = [], unresolved = [] } = step;
  if (passages.length === 0) return quoted(step.references);
  return [
    ...passages.flatMap(({ name, title, text }) =>
      quoted(text, title.includes(name) ? line(title) : `${line(name)}: ${line(title)}`),
    ),
    ...(unresolved.length === 0
      ? []
      : [
          {
            text: `The step also refers to names that the plan does not define: ${unresolved.map(line).join(", ")}.`,
          },
        ]),
  ];
}

/** Some evidence is called by what the work was checked together with, not by a command. */
const checkedHow = (checked: string): string =>
  checked.startsWith("together with ") ? `checked ${line(checked)}` : `checked with ${line(checked)}`;

/** The newest last, where it is read last. */
function verdicts({ verdicts: all }: PromptContext): readonly Block[] {
  return all.slice(-MOST_VERDICTS).map(({ attempt, passed, at, checked, output: printed }) => ({
    label: `Attempt ${attempt} ${passed ? "passed" : "failed"} (${at}), ${checkedHow(checked)}:`,
    text: output(printed),
    quoted: "text",
  }));
}

/** What a part says; undefined when it has nothing to say. */
export function partText(name: PartName, context: PromptContext): string | undefined {
  const blocks = PARTS[name].blocks(context);
  return blocks.length === 0 ? undefined : blocks.map(blockText).join("\n\n");
}

/** A heading and a part; nothing when the part has nothing to say. */
export function section(heading: string, name: PartName, context: PromptContext): Section | undefined {
  const part: Part = PARTS[name];
  const blocks = part.blocks(context);
  if (blocks.length === 0) return undefined;
  const { importance = 11, keep = "start", elsewhere = "" } = part;
  return { heading, blocks, importance, keep, elsewhere };
}
