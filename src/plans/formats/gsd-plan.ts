import type { Dependency, LeftOut, Plan, PlanCheck, PlanStep } from "../../domain/index.ts";
import { collectDiagnostics, quote } from "./diagnostics.ts";
import { isTaskHeading } from "./headed/task-heading.ts";
import { LIKENESS } from "./likeness.ts";
import { type MarkdownDocument, scanMarkdown } from "./markdown/document.ts";
import { frontMatter } from "./markdown/front-matter.ts";
import { reportLines } from "./markdown/report-lines.ts";
import { nameSteps } from "./name-steps.ts";
import type { PlanFormat } from "./plan-format.ts";
import { MAX_STEPS, titleLine } from "./plan-words.ts";

/**
 * The `PLAN.md` of GSD: Markdown with `<task>` elements, or with a `<feature>` that is written test first. It has no place for
 * progress.
 */
export const gsdPlan: PlanFormat<"gsd-plan"> = {
  name: "gsd-plan",
  isMarkdown: true,
  weigh: (_path, text) => {
    const document = scanMarkdown(text);
    const isPlan = frontMatter(document).has("phase");
    if (elementsIn(document, TASK).length > 0) return isPlan ? LIKENESS.certainly : LIKENESS.surely;
    return isPlan && elementsIn(document, FEATURE).length > 0 ? LIKENESS.certainly : LIKENESS.no;
  },
  read: readGsdPlan,
};

interface Element {
  /** Lines from the opening tag up to, not including, `end`. */
  readonly start: number;
  readonly end: number;
  readonly type: string;
  readonly name: string;
}

interface Tag {
  readonly open: RegExp;
  readonly close: RegExp;
}

const TASK: Tag = { open: /^\s*<task\b([^>]*)>/i, close: /<\/task>/i };
const FEATURE: Tag = { open: /^\s*<feature\b([^>]*)>/i, close: /<\/feature>/i };

/** The work of a plan: its tasks, else its features. */
function workIn(document: MarkdownDocument): readonly Element[] {
  const tasks = elementsIn(document, TASK);
  return tasks.length > 0 ? tasks : elementsIn(document, FEATURE);
}

/** The elements of a plan; one that is never closed ends where the next begins. */
function elementsIn({ lines, hidden }: MarkdownDocument, tag: Tag): readonly Element[] {
  const found: { start: number; end: number; type: string; name: string }[] = [];
  let open: { start: number; end: number; type: string; name: string } | undefined;
  for (let line = 0; line < lines.length; line += 1) {
    const text = lines[line]!;
    if (hidden[line] === 1) continue;
    const [, attributes] = tag.open.exec(text.slice(0, 2000)) ?? [];
    if (attributes !== undefined) {
      if (open) open.end = line;
      open = {
        start: line,
        end: lines.length,
        type: /type="([^"]{0,80})"/.exec(attributes)?.[1] ?? "auto",
        name: "",
      };
      found.push(open);
    }
    if (!open) continue;
    if (open.name === "") open.name = nameIn(text.slice(0, 2000));
    if (!tag.close.test(text)) continue;
    open.end = line + 1;
    open = undefined;
  }
  return found;
}

/** A checkpoint has no name, but says what was built or what is to be decided. */
function nameIn(line: string): string {
  const [, behind = ""] = /<(?:name|what-built|decision)>(.*)/i.exec(line) ?? [];
  return behind.split("</", 1)[0]!.trim().slice(0, 400);
}

function readGsdPlan(text: string): Plan {
  const { report, all } = collectDiagnostics();
  const document = scanMarkdown(text);
  reportLines(document, report);
  const elements = workIn(document).slice(0, MAX_STEPS);
  const work = elements.filter(({ type }) => !type.startsWith("checkpoint"));
  if (work.length === 0)
    report(
      "plan/nothing-to-do",
      { line: 1, column: 1 },
      () => "No <task> or <feature> in the file is work for an agent.",
    );
  const titles = work.map(({ name }) => name.replace(/^task\s+[\d.]+\s*[:.—–-]\s*/i, "") || "Untitled");
  const { anchors } = nameSteps(
    work.map(({ name, start, end }, index) => ({
      id: /^task\s+([\d.]+)/i.exec(name)?.[1]?.replace(/^/, "task-"),
      section: "",
      title: titles[index]!,
      whole: document.lines.slice(start, end).join("\n"),
    })),
  );
  const steps = work.map((element, index) =>
    stepOf(document, element, titles[index]!, anchors[index]!, anchors[index - 1]),
  );
  const isWork = new Set(work);
  const people = elements.filter((element) => !isWork.has(element));
  for (const { start, name } of people)
    if (work.some((element) => element.start > start))
      report(
        "plan/checkpoint-passed",
        { line: start + 1, column: 1 },
        () => `The tasks behind ${quote(name || "Checkpoint")} do not wait for a person.`,
      );
  const checks = checksIn(document, elements, people);
  return {
    format: gsdPlan.name,
    title: titleOf(document),
    metadata: [],
    steps,
    context: contextOf(document, elements),
    checks,
    leftOut: leftOutOf(document, steps, checks),
    diagnostics: all(),
  };
}

function stepOf(
  { lines, boxes }: MarkdownDocument,
  { start, end }: Element,
  title: string,
  anchor: string,
  before: string | undefined,
): PlanStep {
  const dependsOn: readonly Dependency[] =
    before === undefined ? [] : [{ anchor: before, line: start + 1, implied: true }];
  return {
    anchor,
    title: titleLine(title),
    line: start + 1,
    dependsOn,
    items: boxes
      .filter(({ line }) => line > start && line < end)
      .map(({ line, text, state }) => ({ kind: "task", text, line: line + 1, box: state })),
    substeps: [],
    commit: undefined,
    references: undefined,
    body: lines
      .slice(start + 1, end)
      .filter((line) => !/^\s*<\/(?:task|feature)>\s*$/i.test(line))
      .join("\n")
      .trim(),
  };
}

/** Criteria for the whole plan, and what a person has to look at. */
function checksIn(
  { boxes }: MarkdownDocument,
  elements: readonly Element[],
  people: readonly Element[],
): readonly PlanCheck[] {
  const isInside = (line: number) => elements.some(({ start, end }) => line >= start && line < end);
  return [
    ...people.map(({ name, start }) => ({ text: name || "Checkpoint", line: start + 1, command: undefined })),
    ...boxes
      .filter(({ line }) => !isInside(line))
      .map(({ line, text }) => ({ text, line: line + 1, command: undefined })),
  ].toSorted((a, b) => a.line - b.line);
}

const titleOf = ({ headings, lines }: MarkdownDocument): string | undefined => {
  const heading = headings.find(({ level, text }) => level === 1 && text !== "")?.text;
  const at = lines.findIndex((line) => /^\s*<objective>/i.test(line));
  const objective =
    at === -1
      ? undefined
      : lines
          .slice(at, at + 4)
          .map((line) => line.replace(/<\/?objective>/i, "").trim())
          .find(Boolean);
  const words = heading ?? objective;
  return words === undefined ? undefined : titleLine(words);
};

/** What stands outside the tasks, without front matter. */
function contextOf({ lines, hidden, headings }: MarkdownDocument, elements: readonly Element[]): string {
  const skip = new Uint8Array(lines.length);
  for (const { start, end } of elements) skip.fill(1, start, end);
  let first = 0;
  if (lines[0]?.trimEnd() === "---" && hidden[0] === 1) while (hidden[first] === 1) first += 1;
  const title = headings.find(({ level }) => level === 1)?.line;
  return lines
    .filter(
      (line, index) =>
        index >= first && index !== title && skip[index] === 0 && !/^\s*<\/?tasks>\s*$/i.test(line),
    )
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

function leftOutOf(
  { headings, boxes }: MarkdownDocument,
  steps: readonly PlanStep[],
  checks: readonly PlanCheck[],
): readonly LeftOut[] {
  const taken = new Set([
    ...steps.flatMap(({ line, items }) => [line, ...items.map((item) => item.line)]),
    ...checks.map(({ line }) => line),
  ]);
  return [
    ...headings
      .filter(({ text, line }) => isTaskHeading(text) && !taken.has(line + 1))
      .map(({ line, text }) => ({ line: line + 1, text, why: "The <task> elements are the work." })),
    ...boxes
      .filter(
        ({ line }) =>
          !taken.has(line + 1) &&
          !headings.some((heading) => heading.line === line && isTaskHeading(heading.text)),
      )
      .map(({ line, text }) => ({ line: line + 1, text, why: "It is part of a checkpoint for a person." })),
  ].toSorted((a, b) => a.line - b.line);
}
