import type { Plan, PlanStep, StepProgress } from "../../domain/index.ts";
import { collectDiagnostics, quote, type Report } from "./diagnostics.ts";
import {
  BadJson,
  isPlainObject,
  JsonPositions,
  lastRoot,
  quickJson,
  type RootOf,
} from "../../platform/json/index.ts";
import type { FolderFile, PlanFolder } from "../../platform/ports/index.ts";
import { LIKENESS } from "./likeness.ts";
import { unfoldFolder } from "./plan-folder.ts";
import type { PlanFormat } from "./plan-format.ts";
import { DEPENDENCY_UNREAD } from "./shown-status.ts";
import { reportCycles } from "./report-cycles.ts";
import { reportDuplicateNames } from "./report-duplicate-names.ts";
import { compareNumbered } from "./task-files/compare-numbered.ts";
import { breakDownTask, markBrokenDown } from "./task-files/break-down.ts";
import { familiesOf, type Family } from "./task-files/families.ts";
import { type Known, resolveMentions } from "./task-files/resolve.ts";
import { type Task, taskOf } from "./task-files/task.ts";
import { anchorOfFile, keyOf, stemOf } from "./task-files/task-ids.ts";
import { MOST, type TaskReading } from "./task-files/task-reading.ts";
import { writeTaskFiles } from "./task-files/write.ts";

/** A folder with one JSON file per task. */
export const taskFiles: PlanFormat<"task-files"> = {
  name: "task-files",
  isFolder: true,
  weigh: (_path, names) => (/^task-.+\.json$/im.test(names) ? LIKENESS.certainly : LIKENESS.barely),
  read: readTaskFiles,
  readFolder: readTasks,
  writer: { companions: [], write: writeTaskFiles },
  breakDown: (text, { anchor }, substeps) =>
    editOf(text, anchor, (file) => breakDownTask(file, anchor, substeps)),
  markBrokenDown: (text, { anchor }) => editOf(text, anchor, markBrokenDown),
};

function editOf(folder: string, anchor: string, change: (text: string) => string | undefined) {
  const file = unfoldFolder(folder).files.find(({ name }) => anchorOfFile(name) === anchor);
  const after = file?.text === undefined ? undefined : change(file.text);
  return after === undefined ? undefined : { name: file!.name, before: file!.text, after };
}

/**
 * Reads the task files of a folder.
 *
 * A file that cannot be read is skipped, not fatal: one bad write by some agent must not stop all the others. What
 * depends on it is blocked, so nothing is started too early either.
 */
function readTasks({ files, archived }: PlanFolder): Plan {
  const { report, all } = collectDiagnostics();
  const tasks: Task[] = [];
  const unread = new Map<string, string>();
  const sources: Sources = { rootOf: lastRoot(), left: { ...MOST }, report };
  for (const file of inOrder(files)) {
    const task = readTask(file, sources);
    if (task) tasks.push(task);
    else unread.set(keyOf(file.name), file.name);
  }
  const known: Known = {
    tasks: byKey(tasks, report),
    unread,
    archived: new Set(archived.map(keyOf)),
  };
  const steps = familiesOf(tasks, known, report).map((family) => stepOf(family, known, report));
  if (steps.length === 0)
    report("plan/nothing-to-do", { line: 1, column: 1 }, () =>
      files.length === 0
        ? "No file in the folder is called task-*.json."
        : "No task file in the folder can be read.",
    );
  return {
    format: taskFiles.name,
    title: undefined,
    metadata: [],
    steps: reportCycles(steps, report),
    diagnostics: all(),
  };
}

export function readTaskFiles(text: string): Plan {
  return readTasks(unfoldFolder(text));
}

/** `task-9` comes before `task-10`, and `task-9` before `task-9-a`. */
function inOrder(files: readonly FolderFile[]): readonly FolderFile[] {
  const keyed = files.map((file) => ({ file, stem: stemOf(file.name) }));
  keyed.sort((a, b) => compareNumbered(a.stem, b.stem) || compare(a.file.name, b.file.name));
  return keyed.map(({ file }) => file);
}

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** What all files of a folder share while they are read. */
interface Sources extends Pick<TaskReading, "left" | "report"> {
  readonly rootOf: RootOf;
}

function readTask(file: FolderFile, { rootOf, left, report }: Sources): Task | undefined {
  const { name, text } = file;
  if (text === undefined) {
    const why = file.problem ?? "it cannot be read";
    report("plan/unread-file", { file: name, line: 1, column: 1 }, () => `${name} was skipped: ${why}.`);
    return undefined;
  }
  const places = new JsonPositions(name, text, rootOf);
  try {
    const json = quickJson(places, rootOf);
    if (!isPlainObject(json.value)) {
      report("plan/unread-file", places.of([]), () => `${name} was skipped: it holds no task.`);
      return undefined;
    }
    if (json.hasDoubles) reportDuplicateNames(rootOf(places), (offset) => places.at(offset), report);
    const task = taskOf(json.value, anchorOfFile(name), { json, places, report, left });
    reportName(task, name, report);
    return task;
  } catch (error) {
    if (!(error instanceof BadJson)) throw error;
    report("plan/unread-file", places.at(error.offset), () => `${name} was skipped: ${error.message}.`);
    return undefined;
  }
}

function reportName({ id, key, at }: Task, name: string, report: Report): void {
  if (id === undefined) report("plan/default-id", at, () => `${name} has no id; its name is one.`);
  else if (key !== keyOf(name)) report("plan/misleading-name", at, () => `${name} has the id ${quote(id)}.`);
}

/** Files before the subtasks written inside others: an id that both have means the file. */
function byKey(tasks: readonly Task[], report: Report): ReadonlyMap<string, Task> {
  const known = new Map<string, Task>();
  for (const task of tasks) {
    const before = known.get(task.key);
    if (before)
      report("plan/duplicate-id", task.at, () => `${before.at.file} has the same id, ${quote(task.key)}.`);
    else known.set(task.key, task);
  }
  for (const task of tasks) {
    const byName = keyOf(task.anchor);
    if (!known.has(byName)) known.set(byName, task);
    for (const inner of task.inner) if (!known.has(inner.key)) known.set(inner.key, inner);
  }
  return known;
}

function stepOf({ task, children }: Family, known: Known, report: Report): PlanStep {
  if (children.length === 0) {
    const alone = partOf(task, known, report);
    const progress = progressOf(task, alone, NO_TASKS, report);
    return progress === alone.progress ? alone : { ...alone, progress };
  }
  const substeps = children.map((child) => ({ ...partOf(child, known, report), substeps: [] }));
  const step = partOf(task, known, report);
  const kin = new Set([task.anchor, ...children.map(({ anchor }) => anchor)]);
  const outside = (part: PlanStep, isWithin: (anchor: string) => boolean): PlanStep => {
    const implied = part.dependsOn.find(({ anchor }) => isWithin(anchor));
    if (implied)
      report(
        "plan/implied-dependency",
        task.at,
        () =>
          `${part.anchor} and ${implied.anchor} are a task and its subtask; they wait for each other anyway.`,
      );
    return { ...part, dependsOn: part.dependsOn.filter(({ anchor }) => !isWithin(anchor)) };
  };
  return {
    ...outside(step, (anchor) => kin.has(anchor)),
    substeps: substeps.map((substep) => outside(substep, (anchor) => anchor === task.anchor)),
    progress: progressOf(task, step, substeps, report),
  };
}

const NO_TASKS: readonly never[] = [];

function partOf(task: Task, known: Known, report: Report): PlanStep & { readonly progress: StepProgress } {
  const { dependsOn, obstacle } = resolveMentions(task, known, report);
  const isOpen = task.progress.status === "pending" || task.progress.status === "in_progress";
  return {
    anchor: task.anchor,
    title: task.title,
    line: task.at.line,
    dependsOn,
    items: [],
    substeps: [],
    commit: undefined,
    references: task.at.file,
    body: task.body,
    progress:
      obstacle !== undefined && isOpen
        ? { ...task.progress, status: "blocked", reason: DEPENDENCY_UNREAD, note: obstacle }
        : task.progress,
  };
}

/** A task is as far as its subtasks are: one that says finished while a subtask is open is not. */
function progressOf(
  task: Task,
  { progress }: { readonly progress: StepProgress },
  substeps: readonly { readonly progress: StepProgress }[],
  report: Report,
): StepProgress {
  if (task.status?.means === "broken_down" && substeps.length === 0) {
    report(
      "plan/broken-down-in-vain",
      task.at,
      () => `${task.anchor} is broken down, but no subtask of it is here.`,
    );
    return { ...progress, status: "on_hold", note: "broken down, but no subtask of it is here" };
  }
  if (progress.status !== "completed" || substeps.length === 0) return progress;
  const open = substeps.filter((substep) => substep.progress.status !== "completed").length;
  if (open === 0) return progress;
  report(
    "plan/contradicting-status",
    task.at,
    () => `${task.anchor} says that it is done, but ${open} of its subtasks are not.`,
  );
  return { ...progress, status: "pending" };
}
