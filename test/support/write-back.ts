import { expect } from "vitest";
import { flatten } from "../../src/domain/plan.ts";
import { FORMATS } from "../../src/plans/formats/formats.ts";
import { foldFolder } from "../../src/plans/formats/plan-folder.ts";
import type { PlanFormat, StepState } from "../../src/plans/formats/plan-format.ts";
import { textAfter, writePlan } from "../../src/plans/formats/write-plan.ts";
import { readMarked } from "./marked.ts";
import { asRead, NOW, progressOf } from "./progress.ts";

/** What happened to steps, by anchor. */
export type Changes = Readonly<Record<string, Partial<StepState>>>;

export const formatCalled = (name: string): PlanFormat => FORMATS.find((one) => one.name === name)!;

/**
 * Lets steps move and compares every byte of the file: what is marked changes as marked, and nothing else.
 *
 * The plan must be readable before and after, say the same, and a second writing must find nothing to do.
 */
export function expectBytes(name: string, marked: string, changes: Changes, file?: string): void {
  const format = formatCalled(name);
  const { before, after } = readMarked(marked);
  const source =
    file === undefined ? before : foldFolder({ files: [{ name: file, text: before }], archived: [] });
  const plan = format.read(source);
  expect(plan.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const known = new Set(flatten(plan).map(({ step }) => step.anchor));
  for (const anchor of Object.keys(changes)) expect(known, "the steps of the fixture").toContain(anchor);
  const untouched = writePlan(
    format,
    { text: source, companions: undefined },
    progressOf(plan, stateOfNow(format, source)),
  );
  expect(untouched).toEqual({ edits: [], problems: [] });
  const progress = progressOf(plan, changes);
  const { edits, problems } = writePlan(format, { text: source, companions: undefined }, progress);
  expect(problems).toEqual([]);
  expect(Buffer.from(edits[0]?.after ?? before).toString()).toBe(after);
  const written = textAfter(format, source, edits);
  expect(writePlan(format, { text: written, companions: undefined }, progress).edits).toEqual([]);
}

/** As it is in the file, also where work is under way: a worker holds it. */
function stateOfNow(format: PlanFormat, source: string): Changes {
  const running = flatten(format.read(source)).filter(({ step }) => step.progress?.status === "in_progress");
  return Object.fromEntries(running.map(({ step }) => [step.anchor, { status: "in_progress" }]));
}

/** A file that is no plan: refused with a place, and never written to. */
export function expectLeftAlone(name: string, text: string, anchors: readonly string[]): void {
  const format = formatCalled(name);
  const plan = format.read(text);
  const errors = plan.diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.length).toBeGreaterThan(0);
  for (const { line, column } of errors) expect(Math.min(line, column)).toBeGreaterThan(0);
  const steps = new Map(anchors.map((anchor) => [anchor, { ...asRead("in_progress"), isUntouched: false }]));
  const { edits } = writePlan(format, { text, companions: new Map() }, { steps, now: NOW });
  expect(edits).toEqual([]);
}
