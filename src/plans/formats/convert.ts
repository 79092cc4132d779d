import { Failure, type Plan, type PlanStep } from "../../domain/index.ts";
import { type Loss, lossesOf } from "./convert/losses.ts";
import {
  type Render,
  renderChecklist,
  type RenderedFile,
  renderHeaded,
  renderImplementationPlan,
  renderTaskFiles,
  renderTugplan,
} from "./convert/render.ts";
import { FORMAT_NAMES, type FormatName } from "./format-names.ts";
import { formatNamed } from "./formats.ts";
import { foldFolder } from "./plan-folder.ts";
import { workOrder } from "./records/work-order.ts";

/** A plan as it would be in another format, and what it would not say any more. */
export interface Converted {
  readonly isFolder: boolean;
  readonly files: readonly RenderedFile[];
  readonly lost: readonly Loss[];
}

/** How each format is written; undefined for those that are only read. */
const RENDERS: Readonly<Record<FormatName, Render | undefined>> = {
  tugplan: renderTugplan,
  "implementation-plan": renderImplementationPlan,
  "task-files": renderTaskFiles,
  backlog: undefined,
  "claude-tasks": undefined,
  "claude-todos": undefined,
  "task-master": undefined,
  ralph: undefined,
  "feature-list": undefined,
  beads: undefined,
  "backlog-task": undefined,
  "gsd-plan": undefined,
  "gsd-roadmap": undefined,
  bmad: undefined,
  cursor: undefined,
  headed: renderHeaded,
  kiro: undefined,
  conductor: undefined,
  checklist: renderChecklist,
};

/** The formats that a plan can be converted to. */
export const WRITTEN_FORMATS: readonly FormatName[] = FORMAT_NAMES.filter(
  (name) => RENDERS[name] !== undefined,
);

/** A larger plan is not converted: comparing takes time that grows faster than the plan. */
const MOST_STEPS = 2000;

/**
 * Writes a plan in another format, in memory.
 *
 * What would be lost is not looked up in a table that a person has to maintain: what was written is read again, and the two
 * plans are compared.
 */
export function convertPlan(plan: Plan, to: string): Converted {
  const format = formatNamed(to);
  if (!format)
    throw new Failure("usage/wrong", `There is no format ${to}.`, { format: to, known: FORMAT_NAMES });
  const render = RENDERS[format.name];
  if (!render)
    throw new Failure("usage/wrong", `Pawl reads ${to}, but does not write it.`, {
      format: to,
      known: WRITTEN_FORMATS,
    });
  if (plan.steps.length > MOST_STEPS)
    throw new Failure("plan/too-large", `A plan of more than ${MOST_STEPS} steps is not converted.`, {});
  const isFolder = format.isFolder ?? false;
  const ordered = NAMES_LATER.has(format.name) ? plan : inWorkOrder(plan);
  const files = render(ordered);
  const text = isFolder ? foldFolder({ files, archived: [] }) : (files[0]?.text ?? "");
  return { isFolder, files, lost: lossesOf(ordered, format.read(text)) };
}

/** Formats in which a step may name one that the file has later. */
const NAMES_LATER: ReadonlySet<FormatName> = new Set(["tugplan", "implementation-plan", "task-files"]);

/** What a step waits for comes before it, as an order on paper wants it; else as it was. */
function inWorkOrder(plan: Plan): Plan {
  const tops = new Map(plan.steps.flatMap((top) => [top, ...top.substeps].map((one) => [one.anchor, top])));
  const needsOf = (step: PlanStep) =>
    [step, ...step.substeps]
      .flatMap(({ dependsOn }) => dependsOn.flatMap(({ anchor }) => tops.get(anchor) ?? []))
      .filter((one) => one !== step);
  return { ...plan, steps: [...workOrder(plan.steps, needsOf).keys()] };
}
