import { type Dependency, type Plan, type PlanStep, plural } from "../../domain/index.ts";
import type { PlanFolder } from "../../platform/ports/index.ts";
import { type BacklogTask, backlogKey, bodyOf, stepOf, taskIn, textWith, titleOf } from "./backlog/task.ts";
import { collectDiagnostics, quote, type Report } from "./diagnostics.ts";
import { LIKENESS } from "./likeness.ts";
import { scanMarkdown } from "./markdown/document.ts";
import { frontMatter } from "./markdown/front-matter.ts";
import { unfoldFolder } from "./plan-folder.ts";
import { nameSteps } from "./name-steps.ts";
import type { FileEdit, PlanFormat, PlanProgress, PlanText, Written } from "./plan-format.ts";
import { anchorFor } from "./plan-words.ts";
import { reportCycles } from "./report-cycles.ts";
import { isTaskHeading } from "./headed/task-heading.ts";
import { compareNumbered } from "./task-files/compare-numbered.ts";

/** The folder `backlog/tasks` of Backlog.md: a Markdown file for each task, with front matter and acceptance criteria. */
export const backlog: PlanFormat<"backlog"> = {
  name: "backlog",
  isFolder: true,
  weigh: (_path, names) => (/^[a-z]+-\d.*\.md$/im.test(names) ? LIKENESS.surely : LIKENESS.no),
  read: (text) => readFolder(unfoldFolder(text)),
  readFolder,
  writer: {
    companions: [],
    write: ({ text }, progress) => written(unfoldFolder(text).files, progress),
  },
};

/** One task file of Backlog.md by itself: a plan of one step. */
export const backlogTask: PlanFormat<"backlog-task"> = {
  name: "backlog-task",
  isMarkdown: true,
  weigh: (_path, text) => {
    const fields = frontMatter(scanMarkdown(text));
    const isTask = /^[a-z]+-\d+(?:\.\d+)*$/i.test(fields.get("id")?.value ?? "") && fields.has("status");
    return isTask ? LIKENESS.certainly : LIKENESS.no;
  },
  read: readOne,
  writer: {
    companions: [],
    write: ({ text }: PlanText, progress) => written([{ name: "", text }], progress),
  },
};

function readFolder({ files, archived }: PlanFolder): Plan {
  const { report, all } = collectDiagnostics();
  const tasks = tasksIn(files, report);
  if (tasks.length === 0)
    report(
      "plan/nothing-to-do",
      { line: 1, column: 1 },
      () => "No file in the folder is a task of Backlog.md.",
    );
  return {
    format: backlog.name,
    title: undefined,
    metadata: [],
    steps: reportCycles(stepsOf(tasks, report, doneIds(archived)), report),
    context: "",
    diagnostics: all(),
  };
}

/** The tasks of a folder by priority; the same for the reader and the writer. */
function tasksIn(files: PlanFolder["files"], report: Report): readonly BacklogTask[] {
  return files
    .toSorted((a, b) => compareNumbered(a.name, b.name))
    .flatMap(({ name, text, problem }) => {
      const task = text === undefined ? undefined : taskIn(name, text, report);
      if (!task)
        report(
          "plan/unread-file",
          { file: name, line: 1, column: 1 },
          () => `${name}: ${problem ?? "it has no id and status"}.`,
        );
      return task ? [task] : [];
    })
    .toSorted((a, b) => a.priority - b.priority);
}

function readOne(text: string): Plan {
  const { report, all } = collectDiagnostics();
  const task = taskIn("", text, report);
  if (!task)
    report(
      "plan/not-a-plan",
      { line: 1, column: 1 },
      () => "It is read as backlog-task, and has no id and status in front.",
    );
  const steps = task ? stepsOf([task], report) : [];
  const leftOut = task
    ? []
    : scanMarkdown(text).boxes.map(({ line, text: words }) => ({
        line: line + 1,
        text: words,
        why: "The file is no task.",
      }));
  return {
    format: backlogTask.name,
    title: task?.fields.get("title")?.value,
    metadata: [],
    steps,
    context: "",
    leftOut: [...leftOut, ...headingsIn(text)],
    diagnostics: all(),
  };
}

/** Headings that name a task are words of the one task that the file is. */
const headingsIn = (text: string) =>
  scanMarkdown(text)
    .headings.filter(({ line }) => !scanMarkdown(text).boxes.some((box) => box.line === line))
    .map(({ line, text: words }) => ({
      line: line + 1,
      text: words,
      why: "It is part of the text of the task.",
    }))
    .filter(({ text: words }) => isTaskHeading(words));

/** Two branches give their tasks the same id often: then the titles tell them apart. */
const nameTasks = (tasks: readonly BacklogTask[]) =>
  nameSteps(
    tasks.map((task) => ({
      id: anchorFor(task.id.toLowerCase(), "task"),
      section: "",
      title: titleOf(task),
      get whole() {
        return bodyOf(task).replaceAll(/^(\s*[-*+]\s+\[)[xX]\]/gm, "$1 ]");
      },
    })),
  );

/** The ids of the tasks that `backlog cleanup` moved away, by the names of their files: `task-3 - Title.md`. */
const doneIds = (names: readonly string[]): ReadonlySet<string> =>
  new Set(names.flatMap((name) => backlogKey(/^[a-z]+-\d+(?:\.\d+)*/i.exec(name)?.[0] ?? "") || []));

function stepsOf(
  tasks: readonly BacklogTask[],
  report: Report,
  done: ReadonlySet<string> = new Set(),
): readonly PlanStep[] {
  const { anchors, repeated } = nameTasks(tasks);
  const byKey = new Map<string, number[]>();
  for (const [index, task] of tasks.entries()) {
    const same = byKey.get(backlogKey(task.id)) ?? [];
    byKey.set(backlogKey(task.id), [...same, index]);
    const before = repeated.get(index);
    if (before !== undefined)
      report(
        "plan/duplicate-id",
        placeOf(task),
        () => `${quote(task.id)} is also in ${tasks[before]!.file || "line 1"}, with the same text.`,
      );
    else if (same.length > 0)
      report(
        "plan/repeated-id",
        placeOf(task),
        () =>
          `${quote(task.id)} is also in ${tasks[same[0]!]!.file}; this one is called ${anchors[index]} here.`,
      );
  }
  return tasks.map((task, index) => {
    const needs = needsOf(task, { byKey, anchors, done, own: index }, report);
    const open = task.document.boxes.filter(({ state }) => state === "open").length;
    if (task.status === "completed" && open > 0)
      report(
        "plan/completed-by-marks",
        placeOf(task),
        () =>
          `${task.id} counts as completed: its status says so, although ${plural(open, "box", "boxes")} of it ${open === 1 ? "is" : "are"} open.`,
      );
    const step = stepOf(task, anchors[index]!, needs.edges, needs.isUnread);
    return needs.settled.length === 0 ? step : { ...step, settled: needs.settled };
  });
}

interface KnownTasks {
  readonly byKey: ReadonlyMap<string, readonly number[]>;
  readonly anchors: readonly string[];
  readonly done: ReadonlySet<string>;
  readonly own: number;
}

/** What a task waits for. Which of several with one id is meant is not said: it waits for each of them. */
function needsOf(task: BacklogTask, { byKey, anchors, done, own }: KnownTasks, report: Report) {
  const edges: Dependency[] = [];
  const settled: Dependency[] = [];
  let isUnread = false;
  const { line } = placeOf(task);
  for (const need of task.needs) {
    const targets = byKey.get(backlogKey(need));
    if (targets) {
      for (const target of targets) if (target !== own) edges.push({ anchor: anchors[target]!, line });
    } else if (done.has(backlogKey(need))) {
      settled.push({ anchor: anchorFor(need.toLowerCase(), "task"), line });
      report(
        "plan/archived-task",
        placeOf(task),
        () => `${task.id} depends on ${quote(need)}, which lies among the completed tasks.`,
      );
    } else {
      isUnread = true;
      report(
        "plan/missing-task",
        placeOf(task),
        () =>
          `${task.id} depends on ${quote(need)}, which is ${task.file === "" ? "another file: name the folder to have both read" : "no task here"}.`,
      );
    }
  }
  return { edges, settled, isUnread };
}

const placeOf = ({ file, fields }: BacklogTask) => ({
  ...(file === "" ? {} : { file }),
  line: (fields.get("dependencies") ?? fields.get("id")!).line + 1,
  column: 1,
});

function written(files: PlanFolder["files"], { steps }: PlanProgress): Written {
  const tasks = tasksIn(files, collectDiagnostics().report);
  const { anchors } = nameTasks(tasks);
  const texts = new Map(files.map(({ name, text }) => [name, text]));
  const edits = tasks.flatMap((task, index): readonly FileEdit[] => {
    const text = texts.get(task.file)!;
    const state = steps.get(anchors[index]!);
    const after = state && textWith(task, text, state);
    return after === undefined ? [] : [{ name: task.file, before: text, after }];
  });
  return { edits, problems: [] };
}
