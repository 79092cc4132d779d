import {
  boxesBetween,
  type DocumentBox,
  type DocumentHeading,
  type MarkdownDocument,
} from "../markdown/document.ts";
import { type TaskHeading, taskHeadingOf } from "./task-heading.ts";

/** A task with its heading and the lines that are its text. */
export interface HeadedTask {
  readonly heading: DocumentHeading;
  readonly says: TaskHeading;
  /** The headings over it, without the file's own title. */
  readonly section: string;
  /** Place of the task that it is a part of. */
  readonly parent: number | undefined;
  /** First line behind its text; parts of its own begin before that. */
  readonly end: number;
  /** Where its own text ends: at its first part, else at its end. */
  readonly ownEnd: number;
  /** In its own text. */
  readonly boxes: readonly DocumentBox[];
  /** The box in its heading. */
  readonly headingBox: DocumentBox | undefined;
  /** `#### Step 1` inside a task: things to do in it, in order. */
  readonly innerSteps: readonly { readonly heading: DocumentHeading; readonly says: TaskHeading }[];
}

export interface HeadedOutline {
  readonly tasks: readonly HeadedTask[];
  /** Headings of the kind that are none of the tasks, with the reason. */
  readonly others: readonly { readonly heading: DocumentHeading; readonly why: string }[];
}

interface Candidate {
  readonly heading: DocumentHeading;
  readonly says: TaskHeading;
  /** Place among all headings. */
  readonly place: number;
  /** First line behind everything under it. */
  readonly end: number;
}

/**
 * Finds the tasks of a plan by its headings.
 *
 * Tasks count before steps, and steps before phases: a step inside a task is something to do in it, and a phase around
 * tasks is a section. A task ends at the next task, and at the next heading of its level or above.
 */
export function outlineTasks(document: MarkdownDocument): HeadedOutline {
  if (last?.document !== document) last = { document, outline: outlineOf(document) };
  return last.outline;
}

/** A file is weighed, and then read. */
let last: { readonly document: MarkdownDocument; readonly outline: HeadedOutline } | undefined;

function outlineOf(document: MarkdownDocument): HeadedOutline {
  const all = candidatesIn(document);
  const repeated = repeatedWithin(all);
  const candidates = repeated.size === 0 ? all : all.filter((one) => !repeated.has(one));
  const hasWork = candidates.some(({ says }) => says.kind !== "phase");
  const others = [...repeated].map(({ heading }) => ({ heading, why: PART_OF_TEXT }));
  const inner = new Map<Candidate, Candidate[]>();
  const units: Candidate[] = [];
  let open: Candidate | undefined;
  for (const [index, one] of candidates.entries()) {
    if (open && one.heading.line >= open.end) open = undefined;
    if (one.says.isStruck && !one.says.isMarkedDone) {
      others.push({ heading: one.heading, why: DROPPED });
      continue;
    }
    const holds = holdsWork(candidates, index);
    if (open?.says.kind === "task" && one.says.kind === "step") {
      const steps = inner.get(open) ?? [];
      inner.set(open, [...steps, one]);
    } else if (holds) others.push({ heading: one.heading, why: SECTION });
    else if (one.says.kind === "phase" && hasWork && !isPhaseOfWork(document, one))
      others.push({ heading: one.heading, why: EMPTY_PHASE });
    else {
      units.push(one);
      if (!open || !isPartOf(one, open)) open = one;
    }
  }
  return { tasks: tasksOf(document, units, inner), others };
}

export const SECTION = "It is the heading of a section; the tasks under it are the steps.";
export const DROPPED = "It was dropped.";
const PART_OF_TEXT = "It has the number of the heading over it, and is part of its text.";
const EMPTY_PHASE = "It is a phase without tasks or boxes of its own; its text is context of the plan.";

/**
 * Headings inside a task that repeat its number, such as `### Phase 1 deliverables` under `## Phase 1: Title`. Where others
 * of the kind lie there too, the outer one is the title of them all.
 */
function repeatedWithin(all: readonly Candidate[]): ReadonlySet<Candidate> {
  const repeated = new Set<Candidate>();
  for (const [index, { says, end }] of all.entries()) {
    if (says.number === undefined) continue;
    const same: Candidate[] = [];
    let hasOther = false;
    for (let at = index + 1; at < all.length && all[at]!.heading.line < end; at += 1) {
      const { kind, number } = all[at]!.says;
      if (kind !== says.kind || number === undefined) continue;
      if (number === says.number) same.push(all[at]!);
      else hasOther ||= !number.startsWith(`${says.number}.`);
    }
    if (!hasOther) for (const one of same) repeated.add(one);
  }
  return repeated;
}

function candidatesIn({ headings, lines }: MarkdownDocument): readonly Candidate[] {
  const ends = endsOf(headings, lines.length);
  return headings.flatMap((heading, place) => {
    const says = taskHeadingOf(heading.text);
    return says ? [{ heading, says, place, end: ends[place]! }] : [];
  });
}

/** Where each section ends: at the next heading of its level or above. From the end on, so that it takes one pass. */
function endsOf(headings: readonly DocumentHeading[], lineCount: number): readonly number[] {
  const ends = headings.map(() => lineCount);
  const next = [lineCount, lineCount, lineCount, lineCount, lineCount, lineCount, lineCount];
  for (let index = headings.length - 1; index >= 0; index -= 1) {
    const { level, line } = headings[index]!;
    ends[index] = next[level]!;
    next.fill(line, level);
  }
  return ends;
}

/** Whether work of another kind lies under a heading, so that it is only a section. */
function holdsWork(candidates: readonly Candidate[], index: number): boolean {
  const one = candidates[index]!;
  if (one.says.kind === "task") return false;
  const next = candidates[index + 1];
  if (!next || next.heading.line >= one.end) return false;
  return one.says.kind === "phase" || next.says.kind === "task";
}

/** Where tasks or steps are the work, a phase beside them is work only if it has boxes. */
const isPhaseOfWork = ({ boxes }: MarkdownDocument, { heading, end }: Candidate): boolean =>
  boxes.some(({ line }) => line > heading.line && line < end);

/** `Task 1.2` under `Task 1`. */
const isPartOf = (one: Candidate, whole: Candidate): boolean =>
  one.says.kind === whole.says.kind &&
  one.heading.level > whole.heading.level &&
  whole.says.number !== undefined &&
  one.says.number !== undefined &&
  one.says.number.startsWith(`${whole.says.number}.`);

function tasksOf(
  document: MarkdownDocument,
  units: readonly Candidate[],
  inner: ReadonlyMap<Candidate, readonly Candidate[]>,
): readonly HeadedTask[] {
  const boxesAt = boxesBetween(document.boxes);
  const sections = sectionsOf(document.headings);
  let whole: number | undefined;
  return units.map((unit, index) => {
    const before = whole === undefined ? undefined : units[whole]!;
    const isPart = before !== undefined && unit.heading.line < before.end && isPartOf(unit, before);
    if (!isPart) whole = index;
    const next = units[index + 1]?.heading.line ?? document.lines.length;
    const ownEnd = Math.min(unit.end, next);
    return {
      heading: unit.heading,
      says: unit.says,
      section: sections[unit.place]!,
      parent: isPart ? whole : undefined,
      end: isPart ? ownEnd : unit.end,
      ownEnd,
      boxes: boxesAt(unit.heading.line + 1, ownEnd),
      headingBox: boxesAt(unit.heading.line, unit.heading.line + 1)[0],
      innerSteps: inner.get(unit) ?? [],
    };
  });
}

/** The headings over each heading, without a title of the file: giving it another title moves none of its tasks. */
function sectionsOf(headings: readonly DocumentHeading[]): readonly string[] {
  let over: readonly DocumentHeading[] = [];
  return headings.map((heading, index) => {
    over = over.filter(({ level }) => level < heading.level);
    const path = over.map(({ text }) => text.replace(/^\[[ xX~-]\]\s*/, "")).join(" / ");
    if (index > 0 || heading.level > 1) over = [...over, heading];
    return path;
  });
}
