/**
 * What each task of a list follows, where tasks follow one another: the one before it, unless that waits for this one.
 *
 * What a task names comes before it, also where the list has it later; else as they are listed. Without recursion, because
 * a list may have fifty thousand tasks that name each other in a row.
 */
export function workOrder<T>(
  tasks: readonly T[],
  needsOf: (task: T) => readonly T[],
): ReadonlyMap<T, T | undefined> {
  const before = new Map<T, T | undefined>();
  const begun = new Set<T>();
  let last: T | undefined;
  for (const first of tasks) {
    const stack = [first];
    while (stack.length > 0) {
      const task = stack.at(-1)!;
      const needs = begun.has(task) ? [] : needsOf(task).filter((one) => !begun.has(one));
      begun.add(task);
      if (needs.length > 0) {
        stack.push(...needs.toReversed());
        continue;
      }
      stack.pop();
      if (before.has(task)) continue;
      before.set(task, last);
      last = task;
    }
  }
  return before;
}
