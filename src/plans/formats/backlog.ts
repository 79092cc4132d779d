import { type Dependency, type Plan, type PlanStep, plural } from "../../domain/index.ts";
import type { PlanFolder } from "../../platform/ports/index.ts";
import { type BacklogTask, backlogKey, stepOf, taskIn, textWith } from "./backlog/task.ts";
import { collectDiagnostics, quote, type Report } from "./diagnostics.ts";
import { LIKENESS } from "./likeness.ts";
import { scanMarkdown } from "./markdown/document.ts";
import { frontMatter } from "./markdown/front-matter.ts";
import { unfoldFolder } from "./plan-folder.ts";
import type { FileEdit, PlanFormat, PlanProgress, PlanText, Written } from "./plan-format.ts";
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
    write: ({ text }, progress) =>
      written(
        unfoldFolder(text).files.flatMap((file) =>
          file.text === undefined ? [] : [{ name: file.name, text: file.text }],
        ),
        progress,
      ),
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

function readFolder({ files }: PlanFolder): Plan {
  const { report, all } = collectDiagnostics();
  const tasks = files
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
    steps: reportCycles(stepsOf(tasks, report), report),
    context: "",
    diagnostics: all(),
  };
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

function stepsOf(tasks: readonly BacklogTask[], report: Report): readonly PlanStep[] {
  const byKey = new Map<string, BacklogTask>();
  for (const task of tasks) {
    const before = byKey.get(backlogKey(task.id));
    if (before)
      report(
        "plan/duplicate-id",
        placeOf(task),
        () => `${quote(task.id)} is also in ${before.file || "line 1"}.`,
      );
    else byKey.set(backlogKey(task.id), task);
  }
  return tasks.map((task) => {
    const edges: Dependency[] = [];
    let isUnread = false;
    for (const need of task.needs) {
      const target = byKey.get(backlogKey(need));
      if (target === task) continue;
      if (target) edges.push({ anchor: stepOf(target, [], false).anchor, line: placeOf(task).line });
      else {
        isUnread = true;
        report(
          "plan/missing-task",
          placeOf(task),
          () =>
            `${task.id} depends on ${quote(need)}, which is ${task.file === "" ? "another file: name the folder to have both read" : "no task here"}.`,
        );
      }
    }
    const open = task.document.boxes.filter(({ state }) => state === "open").length;
    if (task.status === "completed" && open > 0)
      report(
        "plan/completed-by-marks",
        placeOf(task),
        () =>
          `${task.id} counts as completed: its status says so, although ${plural(open, "box", "boxes")} of it ${open === 1 ? "is" : "are"} open.`,
      );
    return stepOf(task, edges, isUnread);
  });
}

const placeOf = ({ file, fields }: BacklogTask) => ({
  ...(file === "" ? {} : { file }),
  line: (fields.get("dependencies") ?? fields.get("id")!).line + 1,
  column: 1,
});

function written(
  files: readonly { readonly name: string; readonly text: string }[],
  { steps }: PlanProgress,
): Written {
  const { report } = collectDiagnostics();
  const edits = files.flatMap(({ name, text }): readonly FileEdit[] => {
    const task = taskIn(name, text, report);
    const state = task && steps.get(stepOf(task, [], false).anchor);
    const after = task && state && textWith(task, text, state);
    return after === undefined ? [] : [{ name, before: text, after }];
  });
  return { edits, problems: [] };
}
