import { shellWord } from "../../domain/index.ts";
import { answerData } from "../answer-data.ts";
import type { Action, ActionSubject } from "./action.ts";
import { needed, notPossible } from "./needed.ts";
import { spacedOption } from "./plan-actions.ts";

/** What `plan add --json` prints, as far as it is said here. */
interface WouldAdd {
  readonly anchor: string;
  readonly line: number;
  readonly depends_on: readonly string[];
  readonly lines: readonly string[];
  readonly seen: string;
  readonly needs_commit: boolean;
}

/** Each value as one word with its option, so that none can be taken for an option. */
function addArguments({ options: { text, tasks = "", after = "" } }: ActionSubject): readonly string[] {
  const lines = tasks.split(/\r?\n/).filter((line) => line.trim() !== "");
  const names = after.split(/[\s,]+/).filter((name) => name !== "");
  return [
    ...(text === undefined ? [] : [`--text=${text}`]),
    ...lines.map((line) => `--task=${line.trim()}`),
    ...names.map((name) => `--after=${name}`),
  ];
}

const UNTITLED = "A new step";

/** One more step at the end of a plan. */
export const ADD_STEP_ACTION: Action = {
  name: "add",
  label: "Add a step",
  about: "Puts one more step at the end of a plan's file (`pawl plan add`)",
  async preview(context, subject) {
    const plan = needed(subject, "plan");
    const title = subject.options.title ?? UNTITLED;
    const args = addArguments(subject);
    const would = answerData(
      await context.jobs.ask(["plan", "add", "--dry-run", ...args, "--", context.operand(plan), title]),
    ) as unknown as WouldAdd;
    const { anchor, line, depends_on: waits, needs_commit: needsCommit } = would;
    const commit = `git commit -m ${shellWord(`plan: add ${anchor}`)} -- ${shellWord(plan)}`;
    return {
      title: `Add a step to ${plan}`,
      effects: [
        `${plan} in your checkout gets ${anchor} in line ${line}, behind its last step. It is not committed.`,
        waits.length === 0
          ? "It waits for no other step: a worker can claim it at once."
          : `It waits for ${waits.join(", ")}.`,
        needsCommit
          ? `It counts once you commit the file: ${commit}`
          : "No commit has this plan, so the step counts as soon as the plan is read again: with the next run, or now for one that is running.",
      ],
      keeps: ["The rest of the file stays as it is, byte for byte.", "Running work continues."],
      adds: would.lines,
      version: would.seen,
      needsReason: false,
      isGrave: false,
      fields: [
        { name: "title", label: "Title", kind: "text", placeholder: "What the step is for", isNeeded: true },
        { name: "after", label: "Waits for", kind: "text", placeholder: "step-1, step-2" },
        { name: "tasks", label: "Tasks, one in each line", kind: "long", placeholder: "Parse the field" },
        { name: "text", label: "What an agent must know", kind: "long" },
      ],
      command: ["pawl plan add", ...args.map(spacedOption), shellWord(plan), shellWord(title)].join(" "),
    };
  },
  async act(context, subject, { version }) {
    const { title } = subject.options;
    if (title === undefined) throw notPossible("A step needs a title.");
    const args = [...addArguments(subject), `--seen=${version}`];
    return answerData(
      await context.jobs.ask(["plan", "add", ...args, "--", context.operand(needed(subject, "plan")), title]),
    );
  },
};
