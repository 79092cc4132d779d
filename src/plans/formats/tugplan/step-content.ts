import type { PlanItem } from "../../../domain/index.ts";
import {
  awaitsList,
  commitMessageOf,
  continueField,
  fieldText,
  type StepField,
  type Piece,
} from "./field.ts";
import { headingAt } from "../markdown/heading.ts";
import { indentOf } from "../markdown/indentation.ts";
import { labelsAt, roleOf, type StepLabel, type LabelRole } from "./label.ts";
import { almostBoxAt, boxAt, type Box } from "../markdown/list-item.ts";
import type { LineRange } from "../markdown/line-range.ts";
import type { PlanLines } from "../markdown/visible-lines.ts";

/** What the lines of a step say, before it is known whether what they point at exists. */
export interface StepContent {
  readonly items: readonly PlanItem[];
  /** Each `Depends on` line with the lines it wraps to. */
  readonly dependsOn: readonly (readonly Piece[])[];
  readonly commit: string | undefined;
  readonly references: string | undefined;
  readonly body: string;
  /** Boxes under Artifacts or Rollback. */
  readonly untracked: readonly number[];
  /** Boxes under a label that says nothing about its kind. */
  readonly unlabelled: readonly { readonly index: number; readonly label: string }[];
  readonly almostBoxes: readonly { readonly index: number; readonly at: number }[];
  readonly repeated: readonly { readonly index: number; readonly field: string }[];
  /** Where fields grow beyond what is read. */
  readonly overlong: readonly number[];
}

interface Reading {
  readonly items: GrowingItem[];
  readonly dependsOn: Piece[][];
  readonly commit: Piece[][];
  readonly references: Piece[][];
  readonly untracked: number[];
  readonly unlabelled: { index: number; label: string }[];
  readonly almostBoxes: { index: number; at: number }[];
  readonly overlong: number[];
  section: LabelRole | undefined;
  field: StepField | undefined;
  item: GrowingItem | undefined;
}

/** An item that the next line may continue. Collected in pieces, so that a thousand wrapped lines cost a thousand steps. */
interface GrowingItem {
  readonly kind: PlanItem["kind"];
  readonly state: PlanItem["box"];
  readonly indent: number;
  readonly index: number;
  readonly texts: string[];
}

export function readStepContent(plan: PlanLines, parts: readonly LineRange[]): StepContent {
  const reading: Reading = {
    items: [],
    dependsOn: [],
    commit: [],
    references: [],
    untracked: [],
    unlabelled: [],
    almostBoxes: [],
    overlong: [],
    section: undefined,
    field: undefined,
    item: undefined,
  };
  for (const { start, end } of parts) {
    for (let index = start; index < end; index += 1) {
      if (plan.hidden[index] === 1) endParagraph(reading);
      else readLine(reading, plan.lines[index]!, index);
    }
  }
  const { dependsOn, untracked, unlabelled, almostBoxes, overlong } = reading;
  return {
    items: reading.items.map(itemOf),
    dependsOn,
    commit: commitMessageOf(reading.commit[0]),
    references: fieldText(reading.references[0]),
    body: bodyOf(plan, parts),
    untracked,
    unlabelled,
    almostBoxes,
    overlong,
    repeated: [
      ...reading.commit.slice(1).map((pieces) => ({ index: pieces[0]!.index, field: "Commit" })),
      ...reading.references.slice(1).map((pieces) => ({ index: pieces[0]!.index, field: "References" })),
    ],
  };
}

function endParagraph(reading: Reading): void {
  reading.field = undefined;
  reading.item = undefined;
}

function readLine(reading: Reading, line: string, index: number): void {
  if (line.trim() === "") {
    const { field } = reading;
    endParagraph(reading);
    if (field && awaitsList(field) && field.pieces.length === 1) reading.field = field;
    return;
  }
  const box = boxAt(line);
  if (box) return readBox(reading, box, index);
  if (reading.field) {
    const continued = continueField(reading.field, line, index);
    if (continued === "overlong") reading.overlong.push(index);
    if (continued !== "refused") return;
  }
  const labels = labelsAt(line);
  if (labels.length > 0) return readLabels(reading, labels, index);
  const heading = headingAt(line);
  if (heading) {
    endParagraph(reading);
    reading.section = roleOf(heading.text);
    return;
  }
  const almost = almostBoxAt(line);
  if (almost !== undefined) reading.almostBoxes.push({ index, at: almost });
  if (reading.item && indentOf(line) > reading.item.indent) reading.item.texts.push(line.trim());
  else endParagraph(reading);
}

function readBox(reading: Reading, box: Box, index: number): void {
  endParagraph(reading);
  const { section } = reading;
  if (section?.role === "untracked") {
    reading.untracked.push(index);
    return;
  }
  if (section?.role === "other") reading.unlabelled.push({ index, label: section.name });
  const kind = section?.role === "items" ? section.kind : "task";
  reading.item = { kind, state: box.state, indent: box.indent, index, texts: [box.text] };
  reading.items.push(reading.item);
}

function readLabels(reading: Reading, labels: readonly StepLabel[], index: number): void {
  endParagraph(reading);
  for (const { is, listed, at, text } of labels) {
    reading.field = undefined;
    if (!listed) reading.section = is;
    const target = fieldOf(reading, is.role);
    if (!target) continue;
    const pieces = [{ index, at, text }];
    target.push(pieces);
    reading.field = { is: is.role, pieces, length: text.length };
  }
}

function fieldOf(reading: Reading, role: LabelRole["role"]): Piece[][] | undefined {
  if (role === "depends") return reading.dependsOn;
  if (role === "commit") return reading.commit;
  return role === "references" ? reading.references : undefined;
}

const itemOf = ({ kind, state, index, texts }: GrowingItem): PlanItem => ({
  kind,
  text: texts.filter((text) => text !== "").join(" "),
  line: index + 1,
  box: state,
});

const bodyOf = (plan: PlanLines, parts: readonly LineRange[]): string =>
  parts
    .map(({ start, end }) => plan.lines.slice(start, end).join("\n"))
    .join("\n")
    .trim();
