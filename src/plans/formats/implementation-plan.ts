import type { Plan, PlanStep } from "../../domain/index.ts";
import { collectDiagnostics, quote } from "./diagnostics.ts";
import { subtaskDependencies } from "./implementation-plan/dependencies.ts";
import {
  hasTopLevelSubtasks,
  outlinePhases,
  type Phase,
  type Reading,
} from "./implementation-plan/outline.ts";
import { subtaskStatus, stepOfSubtask } from "./implementation-plan/step.ts";
import { TITLES } from "./implementation-plan/words.ts";
import { ATTEMPTS, COMMITS, writeImplementationPlan } from "./implementation-plan/write.ts";
import {
  BadJson,
  firstMember,
  type JsonNode,
  type JsonObject,
  member,
  nodeText,
  nodeValue,
  objectNode,
  parseJson,
  positionsIn,
} from "../../platform/json/index.ts";
import { LIKENESS } from "./likeness.ts";
import type { PlanFormat } from "./plan-format.ts";
import { MAX_STEPS, titleLine } from "./plan-words.ts";
import { reportCycles } from "./report-cycles.ts";
import { reportDuplicateNames } from "./report-duplicate-names.ts";

/** `implementation_plan.json`: phases with subtasks, each with its status, and what was tried in `memory/`. */
export const implementationPlan: PlanFormat<"implementation-plan"> = {
  name: "implementation-plan",
  weigh: (path, text) => {
    if (!/^\ufeff?\s*\{/.test(text)) return /\.json$/i.test(path) ? LIKENESS.barely : LIKENESS.no;
    return /"phases"\s*:\s*\[/.test(text) ? LIKENESS.likely : LIKENESS.barely;
  },
  read: readImplementationPlan,
  writer: { companions: [ATTEMPTS, COMMITS], write: writeImplementationPlan },
};

export function readImplementationPlan(text: string): Plan {
  const { report, all } = collectDiagnostics();
  const place = positionsIn(text);
  const reading: Reading = { text, place, report };
  const root = rootOf(reading);
  const phases = root ? outlinePhases(root, reading) : [];
  const steps = stepsOf(phases, reading);
  if (root && steps.length === 0) reportEmpty(root, reading);
  if (root) {
    reportDuplicateNames(root, place, report);
    reportContradictions(root, steps, reading);
  }
  const title = root && nodeText(firstMember(root, TITLES));
  return {
    format: implementationPlan.name,
    title: title === undefined ? undefined : titleLine(title),
    metadata: root ? metadataOf(root) : [],
    steps: reportCycles(steps, report),
    diagnostics: all(),
  };
}

function rootOf({ text, place, report }: Reading): JsonObject | undefined {
  let root: JsonNode;
  try {
    root = parseJson(text);
  } catch (error) {
    if (!(error instanceof BadJson)) throw error;
    report("plan/bad-json", place(error.offset), () => `This is no JSON: ${error.message}.`);
    return undefined;
  }
  const object = objectNode(root);
  if (object && member(object, "phases")?.type === "array") return object;
  if (object && isTask(object))
    report("plan/one-task", place(root.start), () => "This is one task, not a plan.");
  else if (object && hasTopLevelSubtasks(object)) return object;
  else
    report(
      "plan/not-a-plan",
      place(root.start),
      () => "There is no list of phases in it, nor one of tasks, user stories or features.",
    );
  return undefined;
}

const isTask = (object: JsonObject): boolean =>
  (member(object, "id") ?? member(object, "task_id")) !== undefined &&
  (member(object, "title") ?? member(object, "subject")) !== undefined;

function stepsOf(phases: readonly Phase[], reading: Reading): readonly PlanStep[] {
  const { report, place } = reading;
  const dependencies = subtaskDependencies(phases, reading);
  const steps: PlanStep[] = [];
  const seen = new Map<string, number>();
  for (const phase of phases) {
    for (const child of phase.children) {
      const before = seen.get(child.anchor);
      if (before !== undefined) {
        report(
          "plan/duplicate-id",
          place(child.node.start),
          () => `The id ${quote(child.anchor)} is taken by the subtask in line ${before}.`,
        );
      } else seen.set(child.anchor, place(child.node.start).line);
      if (steps.length >= MAX_STEPS) {
        report(
          "plan/too-many-steps",
          place(child.node.start),
          () => `There are more than ${MAX_STEPS} subtasks.`,
        );
        return steps;
      }
      steps.push(stepOfSubtask(phase, child, dependencies.get(child) ?? [], reading));
    }
  }
  return steps;
}

function reportEmpty(root: JsonObject, { place, report }: Reading): void {
  const { start } = member(root, "phases")!;
  report("plan/nothing-to-do", place(start), () => "Planning is not finished: no phase has a subtask.");
}

/** The top says one thing, the subtasks another: the subtasks count. */
function reportContradictions(
  root: JsonObject,
  steps: readonly PlanStep[],
  { place, report }: Reading,
): void {
  const done = steps.filter(({ progress }) => progress?.status === "completed").length;
  const status = member(root, "status");
  const said = status && subtaskStatus(status);
  const isDone = done === steps.length;
  if (status && steps.length > 0 && ((said === "completed" && !isDone) || (said === "pending" && done > 0))) {
    report(
      "plan/contradicting-status",
      place(status.start),
      () => `The plan says ${said}, but ${done} of ${steps.length} subtasks are completed.`,
    );
  }
  const summary = objectNode(member(root, "summary"));
  const total = summary && firstMember(summary, ["total_subtasks", "total_chunks", "total_tasks"]);
  if (total?.type === "number" && total.value !== steps.length)
    report(
      "plan/wrong-summary",
      place(total.start),
      () => `The summary counts ${String(total.value)} subtasks, the phases ${steps.length}.`,
    );
}

const SHOWN_FIELDS = ["workflow_type", "services_involved", "status", "planStatus"] as const;

function metadataOf(root: JsonObject): Plan["metadata"] {
  return SHOWN_FIELDS.flatMap((name) => {
    const value = member(root, name);
    if (!value || value.type === "null") return [];
    const shown = nodeText(value) ?? JSON.stringify(nodeValue(value));
    return [[name, titleLine(shown)] as const];
  });
}
