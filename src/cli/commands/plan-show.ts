import {
  bareAnchor,
  Failure,
  flatten,
  ITEM_KINDS,
  type Plan,
  type PlanItem,
  type PlanStep,
  plural,
  shellWord,
  withOrdinals,
} from "../../domain/index.ts";
import { FORMAT_OPTION, PLAN } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { planExitCode, issuesOf, loadPlan } from "../load-plan.ts";
import { padEnd, wrap } from "../text/layout.ts";
import type { Paint } from "../text/paint.ts";

export const planShowCommand = defineCommand({
  name: "plan show",
  more: `Shows what is in the file; \`pawl state show\` shows the progress. Items are counted from 1 within their
kind, as \`pawl state update\` counts them.`,
  operands: [PLAN],
  options: {
    step: { type: "text", value: "ANCHOR", about: "Only this step, with its items and its text" },
    ...FORMAT_OPTION,
  },
  examples: ["pawl plan show plan.md", "pawl plan show plan.md --step step-2"],
  run: async (context, { step: anchor, format }, [operand = ""]) => {
    const { planPath, plan } = loadPlan(context, operand, format);
    const head = { plan_path: planPath, format: plan.format, title: plan.title ?? null };
    if (anchor !== undefined) {
      const step = findStep(plan, bareAnchor(anchor), planPath);
      return {
        data: { ...head, metadata: metadataOf(plan), steps: [{ ...stepData(step), body: step.body }] },
        issues: issuesOf(plan),
        exitCode: planExitCode(plan),
        text: (paint) => oneStep(step, paint),
      };
    }
    return {
      data: { ...head, metadata: metadataOf(plan), steps: plan.steps.map(stepData) },
      issues: issuesOf(plan),
      exitCode: planExitCode(plan),
      text: (paint) => overview(planPath, plan, paint),
    };
  },
});

function findStep(plan: Plan, anchor: string, planPath: string): PlanStep {
  const row = flatten(plan).find(({ step }) => step.anchor === anchor);
  if (row) return row.step;
  throw new Failure(
    "step/unknown",
    `${planPath} has no step ${anchor}.`,
    { plan_path: planPath, anchor },
    { hint: `Run \`pawl plan show ${shellWord(planPath)}\` to see the steps.` },
  );
}

/** `fromEntries` defines keys and never assigns them, so a field called `__proto__` is a field. */
const metadataOf = ({ metadata }: Plan): Readonly<Record<string, string>> => Object.fromEntries(metadata);

const stepData = (step: PlanStep): Readonly<Record<string, unknown>> => ({
  anchor: step.anchor,
  title: step.title,
  line: step.line,
  depends_on: step.dependsOn.map((dependency) => dependency.anchor),
  commit: step.commit ?? null,
  references: step.references ?? null,
  optional: step.isOptional ?? false,
  items: itemsData(step),
  substeps: step.substeps.map(stepData),
});

/** As people count them. */
const itemsData = ({ items }: PlanStep) =>
  withOrdinals(items).map(({ kind, ordinal, text, box }) => ({ kind, ordinal: ordinal + 1, text, box }));

function overview(planPath: string, plan: Plan, paint: Paint): string {
  const title = wrap(paint.plain(plan.title ?? planPath), paint.columns).map(paint.bold);
  const widest = plan.metadata.reduce((most, [field]) => Math.max(most, Math.min(field.length, 20)), 0);
  const metadata = plan.metadata.flatMap(([field, value]) =>
    hanging(padEnd(paint.dim(field), widest), widest + 2, value, paint),
  );
  const steps = plan.steps.flatMap((step) => ["", ...stepLines(step, "", paint)]);
  return [...title, ...metadata, ...steps].join("\n");
}

function stepLines(step: PlanStep, indent: string, paint: Paint): readonly string[] {
  const inner = `${indent}    `;
  const width = Math.max(paint.columns - inner.length, 20);
  const notes = notesOf(step).flatMap((note) =>
    wrap(paint.plain(note), width).map((line) => inner + paint.dim(line)),
  );
  return [
    ...wrap(paint.plain(step.title), width).map((line, index) =>
      index === 0
        ? `${indent}${paint.cyan(step.anchor)}\n${inner}${paint.bold(line)}`
        : inner + paint.bold(line),
    ),
    ...notes,
    ...step.substeps.flatMap((substep) => stepLines(substep, `${indent}  `, paint)),
  ];
}

function notesOf({ dependsOn, items, commit, isOptional }: PlanStep): readonly string[] {
  const counts = ITEM_KINDS.map((kind) => [kind, items.filter((item) => item.kind === kind).length] as const);
  const counted = counts.filter(([, count]) => count > 0);
  const optional = items.filter((item) => item.isOptional).length;
  return [
    ...(isOptional ? ["optional"] : []),
    ...(dependsOn.length > 0 ? [`waits for ${dependsOn.map(({ anchor }) => anchor).join(", ")}`] : []),
    ...(counted.length > 0
      ? [
          `${counted.map(([kind, count]) => plural(count, kind)).join(", ")}${optional > 0 ? ` (${optional} optional)` : ""}`,
        ]
      : []),
    ...(commit === undefined ? [] : [`commit ${commit}`]),
  ];
}

function oneStep(step: PlanStep, paint: Paint): string {
  const title = wrap(paint.plain(step.title), paint.columns).map(paint.bold);
  const notes = notesOf(step).flatMap((note) => wrap(paint.plain(note), paint.columns).map(paint.dim));
  const substeps = step.substeps.map(
    (substep) => `  ${paint.cyan(substep.anchor)}  ${paint.plain(substep.title)}`,
  );
  const items = itemsData(step).flatMap(({ kind, ordinal, text, box }) =>
    hanging(`${`${kind} ${ordinal}`.padEnd(14)}${BOXES[box]}`, 18, text, paint),
  );
  const body = step.body.split("\n").map((line) => paint.plain(line.replaceAll("\t", "    ")));
  const parts = [[paint.cyan(step.anchor), ...title, ...notes], substeps, items, body];
  return parts
    .filter((lines) => lines.some((line) => line !== ""))
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

const BOXES: Readonly<Record<PlanItem["box"], string>> = {
  open: "[ ]",
  ticked: "[x]",
  deferred: "[~]",
  dropped: "[-]",
};

/** A label with text beside it that stays in its own column. */
function hanging(label: string, indent: number, text: string, paint: Paint): readonly string[] {
  const lines = wrap(paint.plain(text), Math.max(paint.columns - indent, 20)).map(paint.plain);
  return lines.map((line, index) => (index === 0 ? padEnd(label, indent) : " ".repeat(indent)) + line);
}
