import {
  type Dependency,
  type LeftOut,
  OPTIONAL,
  type Plan,
  type PlanCheck,
  type PlanItem,
  type PlanStep,
  type StepProgress,
} from "../../../domain/index.ts";
import { collectDiagnostics, type Report } from "../diagnostics.ts";
import { SECTION } from "../headed/outline.ts";
import { isTaskHeading } from "../headed/task-heading.ts";
import { type DocumentBox, type MarkdownDocument, MOST_BOXES, scanMarkdown } from "../markdown/document.ts";
import { reportLines } from "../markdown/report-lines.ts";
import { isStruckOut, markdownTitle, MAX_STEPS, titleLine } from "../plan-words.ts";
import { reportCycles } from "../report-cycles.ts";
import { reportCriteria, reportUnreadHeadings, reportUnreadWork } from "../unread-work.ts";
import { aboutOf, rangeOf } from "./about.ts";
import type { FoundBox } from "./boxes.ts";
import { checklistChecks, NO_CHECKS } from "./checks.ts";
import { boxDependencies } from "./dependencies.ts";
import type { Dialect } from "./dialect.ts";
import { boxPosition, type BoxStep, outlineBoxes } from "./outline.ts";

/** Of a plan with too many steps. */
const MOST_SHOWN = 1000;

/** A list as its reader and its writer see it. */
export interface ReadList {
  readonly steps: readonly ListStep[];
  readonly leftOut: readonly LeftOut[];
  readonly checks: readonly PlanCheck[];
}

/** A step with everything that is part of it, also optional boxes that its number calls its own. */
export interface ListStep extends BoxStep {
  readonly parent: BoxStep | undefined;
  readonly own: readonly FoundBox[];
  /** The section that says more about it. */
  readonly about: { readonly start: number; readonly end: number } | undefined;
}

/** The same for reader and writer, so that an item has the same place in both. */
export function listOf(document: MarkdownDocument, dialect: Dialect, report: Report): ReadList {
  const work = dialect.isWork && sectionOf(document, dialect.isWork);
  const isBeside = ({ line }: DocumentBox) => work !== undefined && (line < work.start || line >= work.end);
  const about = aboutOf(document, dialect);
  const lines = new Set([...about.values()].flatMap(({ boxes }) => boxes.map(({ line }) => line + 1)));
  const { checks, asides } = work
    ? NO_CHECKS
    : checklistChecks(document, dialect, (box) => !lines.has(box.line + 1));
  for (const { line } of [...checks, ...asides]) lines.add(line);
  const { steps, leftOut } = outlineBoxes(
    document,
    dialect,
    report,
    (box) => lines.has(box.line + 1) || isBeside(box),
  );
  const aboutBoxes = ({ box }: BoxStep): readonly FoundBox[] => about.get(box.line)?.boxes ?? [];
  const parents = parentsOf(steps);
  const adopted = new Map<BoxStep, FoundBox[]>();
  const kept = steps.filter((step) => {
    const parent = parents.get(step);
    // One that is put off would keep its step open for ever: it is a deferred item of it.
    const isPutOff = dialect.statusOf[step.box.state] === "on_hold";
    if (!parent || !(step.box.isOptional || isPutOff)) return true;
    const items = isPutOff ? step.items.map(putOff) : step.items;
    adopted.set(parent, [...(adopted.get(parent) ?? []), step.box, ...items]);
    return false;
  });
  const keptLines = new Set(kept.map(({ box }) => box.line));
  return {
    steps: kept.map((step) => {
      const { box, words, anchor, items, end } = step;
      const more = [...(adopted.get(step) ?? []), ...aboutBoxes(step)];
      return {
        box,
        words,
        anchor,
        items,
        end,
        parent: parents.get(step),
        own: more.length === 0 ? items : [...items, ...more],
        about: about.get(box.line),
      };
    }),
    leftOut: [
      ...leftOut,
      ...asides,
      ...[...about]
        .filter(([line]) => !keptLines.has(line))
        .flatMap(([, { boxes }]) => boxes)
        .map(({ line, text }) => ({ line: line + 1, text, why: "It belongs to a phase that is no step." })),
      ...document.boxes
        .filter((box) => isBeside(box))
        .map(({ line, text }) => ({
          line: line + 1,
          text,
          why: "It stands outside the tasks of the story.",
        })),
    ],
    checks,
  };
}

/** What stands under a box that is put off is put off with it. */
const putOff = (box: FoundBox): FoundBox => (box.state === "open" ? { ...box, state: "deferred" } : box);

function sectionOf(document: MarkdownDocument, isWork: (heading: string) => boolean) {
  const heading = document.headings.find(({ text }) => isWork(text));
  return heading && rangeOf(document, heading);
}

const ABOUT = "It says more about a step, and is part of its text.";

export function readList(text: string, dialect: Dialect): Plan {
  const { report, all } = collectDiagnostics();
  const whole = scanMarkdown(text);
  const document = whole.cutAt === undefined ? whole : beginningOf(whole);
  const list = listOf(document, dialect, report);
  reportLines({ ...whole, boxes: document.boxes }, report);
  if (list.steps.length === 0) {
    report("plan/nothing-to-do", { line: 1, column: 1 }, () => "No box in the file is a step.");
    reportUnreadWork(document, report);
  }
  const tooMany = list.steps[MAX_STEPS]?.box.line ?? document.cutAt;
  if (tooMany !== undefined)
    report(
      "plan/too-many-steps",
      { line: tooMany + 1, column: 1 },
      () => `There are more than ${MAX_STEPS} steps or ${MOST_BOXES} boxes or headings.`,
    );
  const shown = tooMany === undefined ? list.steps : list.steps.slice(0, MOST_SHOWN);
  const steps = stepsOf(shown, document, dialect, report);
  if (dialect.name === "checklist") {
    if (steps.length > 0) reportUnreadHeadings(document, report);
    reportCriteria(document, steps, report);
  }
  return {
    format: dialect.name,
    title: document.headings.find((heading) => heading.text !== "")?.text,
    metadata: [],
    steps: reportCycles(steps, report),
    checks: list.checks,
    leftOut: [...list.leftOut, ...sectionsIn(document, list.steps)].toSorted((a, b) => a.line - b.line),
    diagnostics: all(),
  };
}

/** Of a list that was cut off nothing is carried out; it is enough to see what kind of plan it is. */
function beginningOf(document: MarkdownDocument): MarkdownDocument {
  const end = document.boxes[MOST_SHOWN]?.line ?? document.lines.length;
  const isBefore = ({ line }: { readonly line: number }) => line < end;
  return {
    ...document,
    lines: document.lines.slice(0, end),
    headings: document.headings.filter(isBefore),
    boxes: document.boxes.slice(0, MOST_SHOWN),
    plainItems: document.plainItems.filter(isBefore),
  };
}

/** Headings that name a task, where the boxes under them are the work. */
function sectionsIn({ headings, boxes }: MarkdownDocument, steps: readonly ListStep[]): readonly LeftOut[] {
  const tasks = headings.filter(({ text }) => isTaskHeading(text));
  if (tasks.length === 0) return [];
  const taken = new Set(boxes.map(({ line }) => line));
  const abouts = new Set(steps.map(({ about }) => about?.start));
  return tasks
    .filter(({ line }) => !taken.has(line))
    .map(({ line, text }) => ({ line: line + 1, text, why: abouts.has(line) ? ABOUT : SECTION }));
}

function stepsOf(
  list: readonly ListStep[],
  document: MarkdownDocument,
  dialect: Dialect,
  report: Report,
): readonly PlanStep[] {
  const byOutline = new Map(list.map((step) => [step.box.line, step]));
  const parents = new Map(
    list.flatMap((step) => {
      const parent = step.parent && byOutline.get(step.parent.box.line);
      return parent ? [[step, parent] as const] : [];
    }),
  );
  const isDeferred = ({ box }: BoxStep) => box.isOptional || dialect.statusOf[box.state] === "on_hold";
  const dependencies = boxDependencies(list, parents, isDeferred, report);
  const substeps = new Map<BoxStep, PlanStep[]>();
  for (const [step, parent] of parents) {
    const siblings = substeps.get(parent) ?? [];
    siblings.push(stepOf(step, dependencies.get(step) ?? [], [], document, dialect, report));
    substeps.set(parent, siblings);
  }
  return list
    .filter((step) => !parents.has(step))
    .map((step) =>
      stepOf(step, dependencies.get(step) ?? [], substeps.get(step) ?? [], document, dialect, report),
    );
}

/** `1.2` belongs to `1`, where `1` is a box too; what is deeper goes to the same one. */
function parentsOf(steps: readonly BoxStep[]): ReadonlyMap<BoxStep, BoxStep> {
  const parents = new Map<BoxStep, BoxStep>();
  const byNumber = new Map<string, BoxStep>();
  for (const step of steps) {
    const { id, isSpecKit } = step.words;
    if (id === undefined || isSpecKit) continue;
    const parts = id.split(".");
    for (let length = 1; length < parts.length; length += 1) {
      const parent = byNumber.get(parts.slice(0, length).join("."));
      if (!parent) continue;
      parents.set(step, parent);
      break;
    }
    if (!parents.has(step)) byNumber.set(id, step);
  }
  return parents;
}

function stepOf(
  { box, words, anchor, own, end, about }: ListStep,
  dependsOn: readonly Dependency[],
  substeps: readonly PlanStep[],
  { lines }: MarkdownDocument,
  dialect: Dialect,
  report: Report,
): PlanStep {
  if (box.text === "") report("plan/empty-item", boxPosition(box), () => "A box has no words beside it.");
  const items = own.map((item) => itemOf(item, dialect));
  const labels = [...words.labels, box.group.title].filter(Boolean);
  const step: PlanStep = {
    anchor,
    ...markdownTitle(words.title),
    line: box.line + 1,
    dependsOn,
    items,
    section: box.group.path,
    substeps,
    commit: undefined,
    references: titleLine(labels.join(" · ")) || undefined,
    body: (about
      ? [...lines.slice(box.line + 1, end), ...lines.slice(about.start + 1, about.end)]
      : lines.slice(box.line + 1, end)
    ).join("\n"),
    order: `phase ${box.group.phase}${words.isParallel ? ", parallel" : ""}`,
    progress: progressOf(box, anchor, { items, substeps }, dialect, report),
  };
  return box.isOptional ? { ...step, isOptional: true } : step;
}

/**
 * A ticked box over open ones is not done. An open box over ticked ones is not done either: its author has not said so.
 */
function progressOf(
  box: FoundBox,
  anchor: string,
  { items, substeps }: Pick<PlanStep, "items" | "substeps">,
  dialect: Dialect,
  report: Report,
): StepProgress {
  const marked = dialect.statusOf[box.state];
  const status = marked === "dropped" ? "completed" : marked;
  const open =
    substeps.filter(({ progress }) => progress?.status !== "completed").length +
    items.filter((item) => item.box === "open").length;
  const contradicts = status === "completed" && open > 0;
  if (contradicts)
    report(
      "plan/contradicting-status",
      boxPosition(box),
      () => `${anchor} is ticked, but ${open} of the boxes under it ${open === 1 ? "is" : "are"} not.`,
    );
  if (status === "pending" && open === 0 && items.length + substeps.length > 1)
    report(
      "plan/only-parent-open",
      boxPosition(box),
      () => `${anchor} is open, although nothing under it is; workers still claim it.`,
    );
  const isOffered = box.isOptional && status === "pending";
  return {
    status: contradicts ? "pending" : isOffered ? "on_hold" : status,
    reason: isOffered ? OPTIONAL : undefined,
    note: isOffered
      ? "optional in the plan file"
      : status === "on_hold"
        ? "deferred in the plan file"
        : undefined,
    verificationAttempts: 0,
    updatedAt: undefined,
  };
}

function itemOf({ text, line, state, isOptional }: FoundBox, { itemOf: says }: Dialect): PlanItem {
  const said = isStruckOut(text) && state !== "ticked" ? "dropped" : says[state];
  return {
    kind: "task",
    text,
    line: line + 1,
    box: isOptional && said === "open" ? "deferred" : said,
    ...(isOptional ? { isOptional: true } : {}),
  };
}
