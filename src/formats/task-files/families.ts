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
  const parents = parentsOf(tasks, known);
  const families = new Map<Task, Task[]>();
  for (const task of tasks) if (!parents.has(task)) families.set(task, []);
  for (const task of tasks) {
    const top = topOf(task, parents);
    const children = families.get(top);
    // Tasks that are each other's parents have no top: each stands for itself.
    if (!children) {
      families.set(task, []);
      families.get(task)!.push(...innerOf(task));
    } else if (top === task) children.push(...innerOf(task));
    else children.push(task, ...innerOf(task));
  }
  return withoutTwins([...families], report);
}

function parentsOf(tasks: readonly Task[], { tasks: byKey }: Known): ReadonlyMap<Task, Task> {
  const parents = new Map<Task, Task>();
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

function topOf(task: Task, parents: ReadonlyMap<Task, Task>): Task {
  if (!parents.has(task)) return task;
  const seen = new Set<Task>();
  let top = task;
  for (let parent = parents.get(top); parent && !seen.has(parent); parent = parents.get(top)) {
    seen.add(parent);
    top = parent;
  }
  return top;
}

const innerOf = (task: Task): readonly Task[] =>
  task.inner.length === 0 ? task.inner : task.inner.flatMap((inner) => [inner, ...innerOf(inner)]);

/** An inner subtask may have the id of a file, or of another one: the first counts. */
function withoutTwins(
  families: readonly (readonly [Task, readonly Task[]])[],
  report: Report,
): readonly Family[] {
  const taken = new Set<string>();
  const isFirst = (task: Task) => {
    if (!taken.has(task.anchor)) return taken.add(task.anchor);
    report("plan/duplicate-id", task.at, () => `${task.anchor} is there twice.`);
    return false;
  };
  return families
    .filter(([task]) => isFirst(task))
    .map(([task, children]) => ({
      task,
      children: children.length === 0 ? children : children.filter(isFirst),
    }));
}
