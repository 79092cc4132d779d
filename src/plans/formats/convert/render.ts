import type { FoundStatus, Plan, PlanItem, PlanStep } from "../../../domain/index.ts";

/** A file of a plan in another format. */
export interface RenderedFile {
  /** Inside the folder that the plan becomes; empty for a plan of one file. */
  readonly name: string;
  readonly text: string;
}

export type Render = (plan: Plan) => readonly RenderedFile[];

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const BOXES: Readonly<Record<PlanItem["box"], string>> = {
  open: "[ ]",
  ticked: "[x]",
  deferred: "[~]",
  dropped: "[-]",
};

const anchorsOf = ({ dependsOn }: PlanStep): readonly string[] => [
  ...new Set(dependsOn.map(({ anchor }) => anchor)),
];

/** The text of a step, without the line that says what it waits for: each format has its own place for that. */
export const wordsOf = ({ body }: PlanStep): string =>
  body.replace(/^\*\*Depends on:\*\*[^\n]*$/gm, "").trim();

/** Steps as headings. The body of a plan that has items in it already holds them. */
export const renderTugplan: Render = ({ format, title, metadata, steps }) => {
  const part = (step: PlanStep, number: string, mark: string): string =>
    [
      `${mark} Step ${number}: ${step.title} {#${step.anchor}}`,
      ...(step.dependsOn.length === 0
        ? []
        : [
            `**Depends on:** ${anchorsOf(step)
              .map((anchor) => `#${anchor}`)
              .join(", ")}`,
          ]),
      ...(format === "tugplan" || step.references === undefined
        ? []
        : [`**References:** ${step.references}`]),
      ...(wordsOf(step) === "" || hasOnlyItems(format, step) ? [] : [wordsOf(step)]),
      ...(saysItems(format) || step.items.length === 0
        ? []
        : [`**Tasks:**\n\n${step.items.map(({ box, text }) => `- ${BOXES[box]} ${text}`).join("\n")}`]),
      ...step.substeps.map((substep, index) => part(substep, `${number}.${index + 1}`, `${mark}#`)),
    ].join("\n\n");
  const rows = metadata.map(([field, value]) => `| ${field} | ${value} |`);
  const head = [
    `## ${title ?? "Plan"}`,
    ...(rows.length === 0 ? [] : [["| Field | Value |", "| --- | --- |", ...rows].join("\n")]),
  ];
  const parts = steps.map((step, index) => part(step, String(index + 1), "####"));
  return [{ name: "", text: `${[...head, ...parts].join("\n\n")}\n` }];
};

/** Statuses in which a step is not handed out. */
const HELD: ReadonlySet<FoundStatus> = new Set(["on_hold", "blocked", "failed"]);

/** Tasks as headings, each with its text; what it waits for is said where that is not the order. */
export const renderHeaded: Render = ({ format, title, context = "", steps }) => {
  const numbers = new Map(steps.map(({ anchor }, index) => [anchor, index + 1]));
  const part = (step: PlanStep, number: string, mark: string, needs: string | undefined): string => {
    const status = step.progress?.status ?? "pending";
    const words = wordsOf(step);
    const parts = [
      `${mark} Task ${number}: ${step.title}${status === "completed" ? " ✅" : ""}`,
      ...(HELD.has(status) ? [`**Status:** ${status.replace("_", " ")}`] : []),
      ...(needs === undefined ? [] : [`**Depends on:** ${needs}`]),
      ...(words === "" || hasOnlyItems(format, step) ? [] : [words]),
      ...(saysItems(format) || step.items.length === 0
        ? []
        : [step.items.map(({ box, text }) => `- ${BOXES[box]} ${text}`).join("\n")]),
    ].join("\n\n");
    // What is done has nothing open: an open box in its text would have it done again.
    const own = status === "completed" ? parts.replaceAll(/^(\s*[-*+] )\[ \]/gm, "$1[x]") : parts;
    return [
      own,
      ...step.substeps.map((substep, index) =>
        part(substep, `${number}.${index + 1}`, `${mark}#`, undefined),
      ),
    ].join("\n\n");
  };
  const parts = steps.map((step, index) => {
    const needs = anchorsOf(step).flatMap((anchor) => numbers.get(anchor) ?? []);
    const isNext = needs.length === (index === 0 ? 0 : 1) && (index === 0 || needs[0] === index);
    return part(
      step,
      String(index + 1),
      "###",
      isNext ? undefined : needs.length === 0 ? "none" : needs.map((number) => `Task ${number}`).join(", "),
    );
  });
  return [
    {
      name: "",
      text: `${[`# ${title ?? "Plan"}`, ...(context === "" ? [] : [context]), ...parts].join("\n\n")}\n`,
    },
  ];
};

/** Formats whose text of a step has its items in it. */
const saysItems = (format: string): boolean => format === "tugplan" || format === "headed";

/** The lines under a box are its items, and those are written anew. */
const hasOnlyItems = (format: string, { items }: PlanStep): boolean =>
  format === "checklist" && items.length > 0;

const PLAN_WORDS: Readonly<Record<FoundStatus, string>> = {
  pending: "pending",
  in_progress: "in_progress",
  awaiting_verification: "in_progress",
  completed: "completed",
  blocked: "blocked",
  failed: "failed",
  on_hold: "blocked",
};

/** Steps in a row that stand under the same words: a phase, a heading. A file's own name is none. */
function groupsOf({
  format,
  steps,
}: Plan): readonly { readonly name: string | undefined; readonly steps: readonly PlanStep[] }[] {
  const groups: { name: string | undefined; steps: PlanStep[] }[] = [];
  for (const step of steps) {
    const name = format === "task-files" ? undefined : step.references;
    const last = groups.at(-1);
    if (last && last.name === name) last.steps.push(step);
    else groups.push({ name, steps: [step] });
  }
  return groups;
}

/** Phases whose subtasks wait only for what they name. */
export const renderImplementationPlan: Render = (plan) => [
  {
    name: "",
    text: json({
      ...(plan.title === undefined ? {} : { feature: plan.title }),
      phases: groupsOf(plan).map(({ name, steps }, index) => ({
        id: `phase-${index + 1}`,
        name: name ?? `Phase ${index + 1}`,
        depends_on: [],
        parallel_safe: true,
        subtasks: steps
          .flatMap((step) => [step, ...step.substeps])
          .map((step) => ({
            id: step.anchor,
            title: step.title,
            ...(wordsOf(step) === "" ? {} : { description: wordsOf(step) }),
            status: PLAN_WORDS[step.progress?.status ?? "pending"],
            depends_on: anchorsOf(step),
          })),
      })),
    }),
  },
];

const TASK_WORDS: Readonly<Record<FoundStatus, string>> = {
  pending: "Pending",
  in_progress: "In Progress",
  awaiting_verification: "Awaiting Verification",
  completed: "Finished",
  blocked: "Blocked",
  failed: "Blocked",
  on_hold: "On Hold",
};

/** A file for each step; substeps name their task. */
export const renderTaskFiles: Render = ({ format, steps }) => {
  const fileOf = (anchor: string) => (/^task-/i.test(anchor) ? anchor : `task-${anchor}`);
  const task = (step: PlanStep, parent: string | undefined): RenderedFile => ({
    name: `${fileOf(step.anchor)}.json`,
    text: json({
      id: fileOf(step.anchor),
      title: step.title,
      ...(wordsOf(step) === "" ? {} : { description: wordsOf(step) }),
      ...(format === "task-files" || step.references === undefined ? {} : { phase: step.references }),
      status: TASK_WORDS[step.progress?.status ?? "pending"],
      dependencies: anchorsOf(step).map(fileOf),
      ...(parent === undefined ? {} : { parent_task: fileOf(parent) }),
      ...(step.progress && step.progress.verificationAttempts > 0
        ? { verification_attempts: step.progress.verificationAttempts }
        : {}),
    }),
  });
  return steps.flatMap((step) => [
    task(step, undefined),
    ...step.substeps.map((substep) => task(substep, step.anchor)),
  ]);
};

const STEP_BOXES: Readonly<Record<FoundStatus, string>> = {
  pending: "[ ]",
  in_progress: "[ ]",
  awaiting_verification: "[ ]",
  completed: "[x]",
  blocked: "[ ]",
  failed: "[ ]",
  on_hold: "[~]",
};

/** A box for each step, its items nested under it. Where not everything goes one by one, tasks have numbers and say what they need. */
export const renderChecklist: Render = (plan) => {
  const { title, steps } = plan;
  const isInOrder = steps.every(
    (step, index) =>
      step.substeps.length === 0 &&
      (index === 0 ? step.dependsOn.length === 0 : anchorsOf(step).join() === steps[index - 1]!.anchor),
  );
  const ids = new Map(steps.map(({ anchor }, index) => [anchor, `T${String(index + 1).padStart(3, "0")}`]));
  const line = (step: PlanStep): string => {
    const needs = anchorsOf(step).flatMap((anchor) => ids.get(anchor) ?? []);
    const words = isInOrder
      ? step.title
      : `${ids.get(step.anchor)} [P] ${step.title}${needs.length === 0 ? "" : ` (depends on ${needs.join(", ")})`}`;
    return `- ${STEP_BOXES[step.progress?.status ?? "pending"]} ${words}`;
  };
  const sections = groupsOf(plan).map(({ name, steps: inside }) => {
    const lines = inside.flatMap((step) => [
      line(step),
      ...step.items.map(({ box, text }) => `  - ${BOXES[box]} ${text}`),
    ]);
    return [...(name === undefined || name === title ? [] : [`## ${name}\n`]), ...lines].join("\n");
  });
  return [{ name: "", text: `${[`# ${title ?? "Tasks"}`, ...sections].join("\n\n")}\n` }];
};
