import type { Dependency, Plan, PlanItem, PlanStep } from "../../domain/index.ts";
import { type BoxList, findBoxes, type FoundBox, MOST_BOXES } from "./checklist/boxes.ts";
import { boxDependencies } from "./checklist/dependencies.ts";
import { type BoxStep, outlineBoxes, boxPosition } from "./checklist/outline.ts";
import { readTaskText } from "./checklist/task-text.ts";
import { STATUS_OF_BOX, writeChecklist } from "./checklist/write.ts";
import { collectDiagnostics, quote, type Report } from "./diagnostics.ts";
import type { PlanFormat } from "./plan-format.ts";
import { MAX_STEPS, titleLine } from "./plan-words.ts";
import { reportCycles } from "./report-cycles.ts";
import { almostBoxAt } from "./tugplan/list-item.ts";
import { MAX_LINE_LENGTH, MAX_LINES, type PlanLines, visibleLines } from "./tugplan/visible-lines.ts";

/** Any Markdown with boxes; spec-kit and OpenSpec write theirs with ids. */
export const checklist: PlanFormat<"checklist"> = {
  name: "checklist",
  recognises: (_path, text) => BOX.test(text),
  read: readChecklist,
  writer: { companions: [], write: writeChecklist },
};

const BOX = /^(?:[ \t]*(?:[-*+]|\d{1,9}[.)])|\ufeff?[-*+]| {0,3}#{1,6})[ \t]+\[[ xX~-]\](?:[ \t]|$)/m;

/** Of a plan with too many steps. */
const MOST_SHOWN = 1000;

export function readChecklist(text: string): Plan {
  const { report, all } = collectDiagnostics();
  const lines = visibleLines(text);
  const found = withinReason(findBoxes(lines));
  const outlined = outlineBoxes(found, lines.lines.length, report).slice(0, MAX_STEPS + 1);
  reportLines(lines, report);
  if (outlined.length === 0)
    report("plan/nothing-to-do", { line: 1, column: 1 }, () => "No box in the file is a step.");
  const tooMany = outlined[MAX_STEPS]?.box.line ?? found.cutAt;
  if (tooMany !== undefined)
    report(
      "plan/too-many-steps",
      { line: tooMany + 1, column: 1 },
      () => `There are more than ${MAX_STEPS} steps or ${MOST_BOXES} boxes.`,
    );
  const steps = stepsOf(tooMany === undefined ? outlined : outlined.slice(0, MOST_SHOWN), lines, report);
  reportCycles(steps, report);
  return { format: checklist.name, title: found.title, metadata: [], steps, diagnostics: all() };
}

/** Of a list that was cut off nothing is carried out; it is enough to see what kind of plan it is. */
const withinReason = (found: BoxList): BoxList =>
  found.cutAt === undefined ? found : { ...found, boxes: found.boxes.slice(0, MOST_SHOWN) };

function stepsOf(outlined: readonly BoxStep[], lines: PlanLines, report: Report): readonly PlanStep[] {
  const parents = parentsOf(outlined);
  const dependencies = boxDependencies(outlined, parents, report);
  const substeps = new Map<BoxStep, PlanStep[]>();
  const tops: BoxStep[] = [];
  for (const step of outlined) {
    const parent = parents.get(step);
    if (!parent) tops.push(step);
    else {
      const siblings = substeps.get(parent) ?? [];
      siblings.push(stepOf(step, dependencies.get(step) ?? [], [], lines, report));
      substeps.set(parent, siblings);
    }
  }
  return tops.map((step) =>
    stepOf(step, dependencies.get(step) ?? [], substeps.get(step) ?? [], lines, report),
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
  { box, words, anchor, items, end }: BoxStep,
  dependsOn: readonly Dependency[],
  substeps: readonly PlanStep[],
  { lines }: PlanLines,
  report: Report,
): PlanStep {
  if (box.text === "") report("plan/empty-item", boxPosition(box), () => "A box has no words beside it.");
  const status = STATUS_OF_BOX[box.state];
  const parts = items.map(itemOf);
  const open =
    substeps.filter(({ progress }) => progress?.status !== "completed").length +
    parts.filter((item) => item.box === "open").length;
  const contradicts = status === "completed" && open > 0;
  if (contradicts)
    report(
      "plan/contradicting-status",
      boxPosition(box),
      () => `${anchor} is ticked, but ${open} of the boxes under it ${open === 1 ? "is" : "are"} not.`,
    );
  return {
    anchor,
    title: titleLine(words.title),
    line: box.line + 1,
    dependsOn,
    items: parts,
    section: box.group.path,
    substeps,
    commit: undefined,
    references: titleLine([...words.labels, box.group.title].filter(Boolean).join(" · ")) || undefined,
    body: lines.slice(box.line + 1, end).join("\n"),
    order: `phase ${box.group.phase}${words.isParallel ? ", parallel" : ""}`,
    progress: {
      status: contradicts ? "pending" : status,
      reason: undefined,
      note: box.state === "deferred" ? "deferred in the plan file" : undefined,
      verificationAttempts: 0,
      updatedAt: undefined,
    },
  };
}

function itemOf(box: FoundBox): PlanItem {
  const isStruck = readTaskText(box.text).isStruck;
  return { kind: "task", text: box.text, line: box.line + 1, box: isStruck ? "dropped" : box.state };
}

function reportLines({ lines, hidden, tooLong, unclosed, isCut }: PlanLines, report: Report): void {
  if (isCut)
    report(
      "plan/too-many-lines",
      { line: MAX_LINES, column: 1 },
      () => `There are more than ${MAX_LINES} lines; those behind this one were not read.`,
    );
  for (const index of tooLong)
    report(
      "plan/line-too-long",
      { line: index + 1, column: 1 },
      () => `The line has more than ${MAX_LINE_LENGTH} characters.`,
    );
  for (const { what, start } of unclosed)
    report("plan/unclosed", { line: start + 1, column: 1 }, () => `This ${what} is never closed.`);
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!;
    const at = hidden[index] === 1 || line === "" ? undefined : almostBoxAt(line);
    if (at !== undefined)
      report(
        "plan/unread-box",
        { line: index + 1, column: at + 1 },
        () => `${quote(line.slice(at, at + 20))} is no box.`,
      );
  }
}
