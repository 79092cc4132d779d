import type { Report } from "../diagnostics.ts";
import type { Known } from "./resolve.ts";
import type { Task } from "./task.ts";

/** A task with everything below it, however deep: a plan has steps and substeps, and nothing under those. */
export interface Family {
  readonly task: Task;
  readonly children: readonly Task[];
}

/** Puts subtasks under their tasks, whether the task lists them, they name it, or they stand inside it. */
export function familiesOf(tasks: readonly Task[], known: Known, report: Report): readonly Family[] {
  const topOf = topsOf(parentsOf(tasks, known));
  const families = new Map<Task, Task[] | undefined>();
  for (const task of tasks) if (topOf(task) === task) families.set(task, undefined);
  for (const task of tasks) {
    const top = topOf(task);
    if (top === task && task.inner.length === 0) continue;
    const children = families.get(top) ?? [];
    families.set(top, children);
    if (top !== task) children.push(task);
    addInner(task, children);
  }
  return withoutTwins(families, report);
}

function parentsOf(tasks: readonly Task[], { tasks: byKey }: Known): ReadonlyMap<Task, Task> {
  const parents = new Map<Task, Task>();
  if (!tasks.some(({ parent, childKeys }) => parent !== undefined || childKeys.length > 0)) return parents;
  const files = new Set(tasks);
  for (const task of tasks) {
    const parent = task.parent === undefined ? undefined : byKey.get(task.parent);
    if (parent && parent !== task && files.has(parent)) parents.set(task, parent);
  }
  for (const task of tasks) {
    for (const key of task.childKeys) {
      const child = byKey.get(key);
      if (child && child !== task && files.has(child) && !parents.has(child)) parents.set(child, task);
    }
  }
  return parents;
}

/**
 * The task over all others of a family.
 *
 * Tasks that are each other's parents have no top: each stands for itself. Every task on the way up gets its top at
 * once, or a long line of parents would be walked from each of them.
 */
function topsOf(parents: ReadonlyMap<Task, Task>): (task: Task) => Task {
  const tops = new Map<Task, Task>();
  return (task) => {
    if (!parents.has(task)) return task;
    const way = new Set<Task>();
    let at = task;
    while (!tops.has(at) && !way.has(at) && parents.has(at)) {
      way.add(at);
      at = parents.get(at)!;
    }
    const top = way.has(at) ? undefined : (tops.get(at) ?? at);
    for (const one of way) tops.set(one, top ?? one);
    return tops.get(task) ?? task;
  };
}

function addInner({ inner }: Task, children: Task[]): void {
  for (const one of inner) {
    children.push(one);
    addInner(one, children);
  }
}

const NONE: readonly Task[] = [];

/** An inner subtask may have the id of a file, or of another one: the first counts. */
function withoutTwins(
  families: ReadonlyMap<Task, readonly Task[] | undefined>,
  report: Report,
): readonly Family[] {
  const taken = new Set<string>();
  const isFirst = (task: Task) => {
    if (!taken.has(task.anchor)) return taken.add(task.anchor);
    report("plan/duplicate-id", task.at, () => `${task.anchor} is there twice.`);
    return false;
  };
  const kept: { task: Task; children: readonly Task[] }[] = [];
  // All tasks before the first subtask.
  for (const [task, children] of families) if (isFirst(task)) kept.push({ task, children: children ?? NONE });
  for (const family of kept)
    if (family.children.length > 0) family.children = family.children.filter(isFirst);
  return kept;
}
