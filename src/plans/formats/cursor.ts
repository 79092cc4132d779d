import type { Dependency, FoundStatus, LeftOut, Plan, PlanStep } from "../../domain/index.ts";
import { type Splice, splice } from "../../platform/json/index.ts";
import { type Todo, todosIn } from "./cursor/todos.ts";
import { collectDiagnostics, quote, type Report } from "./diagnostics.ts";
import { isTaskHeading } from "./headed/task-heading.ts";
import { LIKENESS } from "./likeness.ts";
import { type MarkdownDocument, scanMarkdown } from "./markdown/document.ts";
import { frontMatter } from "./markdown/front-matter.ts";
import { reportLines } from "./markdown/report-lines.ts";
import { lineStarts } from "./markdown/ticks.ts";
import { nameSteps } from "./name-steps.ts";
import type { PlanFormat, PlanProgress, PlanText, Written } from "./plan-format.ts";
import { MAX_STEPS, titleLine } from "./plan-words.ts";
import { reportCycles } from "./report-cycles.ts";
import { shownStatus, statusNamed, THREE_STATUSES } from "./shown-status.ts";

/** A `.plan.md` of Cursor: the todos of its front matter are the work and say how far it is; the Markdown is about all of them. */
export const cursor: PlanFormat<"cursor"> = {
  name: "cursor",
  isMarkdown: true,
  weigh: (_path, text) => (todosIn(scanMarkdown(text)).length > 0 ? LIKENESS.certainly : LIKENESS.no),
  read: readCursor,
  writer: { companions: [], write: writeCursor },
};

const STATUSES: ReadonlyMap<string, FoundStatus | "dropped"> = new Map([
  ["pending", "pending"],
  ["todo", "pending"],
  ["in progress", "in_progress"],
  ["completed", "completed"],
  ["done", "completed"],
  ["cancelled", "dropped"],
  ["canceled", "dropped"],
]);

const WORDS: Readonly<Partial<Record<FoundStatus, string>>> = {
  pending: "pending",
  in_progress: "in_progress",
  completed: "completed",
};

type Work = Todo & { readonly is: FoundStatus; readonly anchor: string };

/** The todos that are steps, named; the same for reader and writer. */
function workIn(document: MarkdownDocument, report: Report) {
  const leftOut: LeftOut[] = [];
  const kept: (Todo & { readonly is: FoundStatus })[] = [];
  for (const todo of todosIn(document)) {
    const { status, line, content } = todo;
    const known = status === undefined ? "pending" : statusNamed(STATUSES, status.value);
    if (known === undefined)
      report(
        "plan/unknown-status",
        { line: status!.line + 1, column: status!.start + 1 },
        () => `${quote(content)} has the status ${quote(status!.value)}.`,
      );
    if (known === "dropped") leftOut.push({ line: line + 1, text: content, why: "It was dropped." });
    else kept.push({ ...todo, is: known ?? "on_hold" });
  }
  const { anchors, repeated } = nameSteps(
    kept.map(({ id, content }) => ({ id, section: "", title: content, whole: content })),
  );
  for (const [index, before] of repeated)
    report(
      "plan/repeated-step",
      { line: kept[index]!.line + 1, column: 1 },
      () => `${quote(kept[index]!.content)} stands in line ${kept[before]!.line + 1} too.`,
    );
  return { work: kept.map((todo, index): Work => ({ ...todo, anchor: anchors[index]! })), leftOut };
}

function readCursor(text: string): Plan {
  const { report, all } = collectDiagnostics();
  const document = scanMarkdown(text);
  reportLines(document, report);
  const { work, leftOut } = workIn(document, report);
  if (work.length === 0)
    report("plan/nothing-to-do", { line: 1, column: 1 }, () => "No todo of the front matter is left to do.");
  const excess = work[MAX_STEPS];
  if (excess)
    report(
      "plan/too-many-steps",
      { line: excess.line + 1, column: 1 },
      () => `There are more than ${MAX_STEPS} todos.`,
    );
  const steps = stepsOf(work.slice(0, excess ? 1000 : MAX_STEPS), report);
  const front = frontMatter(document);
  const title =
    front.get("name")?.value ??
    document.headings.find(({ level, text: words }) => level === 1 && words)?.text;
  return {
    format: cursor.name,
    title: title === undefined ? undefined : titleLine(title),
    metadata: [],
    steps: reportCycles(steps, report),
    context: [front.get("overview")?.value ?? "", belowFront(document)].filter(Boolean).join("\n\n"),
    leftOut: [...leftOut, ...besideTodos(document)].toSorted((a, b) => a.line - b.line),
    diagnostics: all(),
  };
}

/** Todos follow one another, unless they say what they need. */
function stepsOf(work: readonly Work[], report: Report): readonly PlanStep[] {
  const byId = new Map(work.flatMap((one) => (one.id === undefined ? [] : [[one.id, one] as const])));
  return work.map((todo, index): PlanStep => {
    const { anchor, content, line, needs, is } = todo;
    const before = work[index - 1];
    const implied = before ? [{ anchor: before.anchor, line: line + 1, implied: true as const }] : [];
    const named = new Map<string, Dependency>();
    for (const id of needs ?? []) {
      const target = byId.get(id);
      if (target && target !== todo) named.set(target.anchor, { anchor: target.anchor, line: line + 1 });
      else if (!target)
        report(
          "plan/unread-reference",
          { line: line + 1, column: 1 },
          () => `${anchor} depends on ${quote(id)}, which is no todo here.`,
        );
    }
    return {
      anchor,
      title: titleLine(content),
      line: line + 1,
      dependsOn: needs === undefined ? implied : [...named.values()],
      items: [],
      substeps: [],
      commit: undefined,
      references: undefined,
      body: content,
      progress: {
        status: is,
        reason: undefined,
        note: undefined,
        verificationAttempts: 0,
        updatedAt: undefined,
      },
    };
  });
}

function belowFront({ lines, hidden }: MarkdownDocument): string {
  const end = lines.findIndex(
    (line, index) => index > 0 && hidden[index] === 1 && /^(?:---|\.\.\.)\s*$/.test(line),
  );
  return lines
    .slice(end + 1)
    .join("\n")
    .trim();
}

const besideTodos = ({ boxes, headings }: MarkdownDocument): readonly LeftOut[] => {
  const boxLines = new Set(boxes.map(({ line }) => line));
  return [...boxes, ...headings.filter(({ text, line }) => !boxLines.has(line) && isTaskHeading(text))].map(
    ({ line, text }) => ({ line: line + 1, text, why: "The todos of the front matter are the work." }),
  );
};

/** Writes the status of todos that Pawl worked on, and changes no other byte. */
function writeCursor({ text }: PlanText, { steps }: PlanProgress): Written {
  const { report } = collectDiagnostics();
  const starts = lineStarts(text);
  const changes = workIn(scanMarkdown(text), report).work.flatMap(({ anchor, status, is }): Splice[] => {
    const state = steps.get(anchor);
    const wanted = state && status && shownStatus(state, is, THREE_STATUSES);
    const word = wanted && WORDS[wanted];
    if (!status || word === undefined) return [];
    return [
      { start: starts[status.line]! + status.start, end: starts[status.line]! + status.end, text: word },
    ];
  });
  if (changes.length === 0) return { edits: [], problems: [] };
  return { edits: [{ name: "", before: text, after: splice(text, changes) }], problems: [] };
}
