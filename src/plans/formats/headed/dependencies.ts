import type { Dependency } from "../../../domain/index.ts";
import { quote, type Report } from "../diagnostics.ts";
import type { MarkdownDocument } from "../markdown/document.ts";
import type { HeadedTask } from "./outline.ts";
import { kindNamed } from "./task-heading.ts";

/** More than any plan has. */
const MOST_EDGES = 200_000;

/**
 * What each task waits for: all that come before it and that no other task waits for yet.
 *
 * The text may say otherwise. A line `Depends on: Task 2` names what is waited for instead, and `none` says that nothing
 * is. Tasks that can run in parallel wait for the same ones. Words in the middle of a sentence only add to the order.
 */
export function taskDependencies(
  document: MarkdownDocument,
  tasks: readonly HeadedTask[],
  anchors: readonly string[],
  report: Report,
): readonly (readonly Dependency[])[] {
  const find = taskFinder(tasks);
  const parallel = parallelTasks(document, tasks, find);
  const ends = new Set<number>();
  let [barrier, isAbreast]: [readonly number[], boolean] = [[], false];
  let left = MOST_EDGES;
  const before = new Map<number, number>();
  return tasks.map((task, index) => {
    const edge = (target: number, line: number, implied: boolean): Dependency => ({
      anchor: anchors[target]!,
      line: line + 1,
      ...(implied ? { implied: true } : {}),
    });
    if (task.parent !== undefined) {
      const sibling = before.get(task.parent);
      before.set(task.parent, index);
      return sibling === undefined ? [] : [edge(sibling, task.heading.line, true)];
    }
    const { named, added } = statedIn(document, task, index, find, report);
    if (!parallel.has(index)) isAbreast = false;
    else if (!isAbreast) [barrier, isAbreast] = [[...ends], true];
    const inOrder = named ? [] : isAbreast ? barrier : [...ends];
    const stated = [...(named ?? []), ...added];
    for (const target of [...inOrder, ...stated.map((one) => one.target)]) ends.delete(target);
    ends.add(index);
    const edges = new Map(inOrder.map((target) => [target, edge(target, task.heading.line, true)]));
    for (const { target, line } of stated) edges.set(target, edge(target, line, false));
    left -= edges.size;
    if (left >= 0) return [...edges.values()];
    if (left + edges.size >= 0)
      report("plan/too-many-dependencies", { line: task.heading.line + 1, column: 1 }, () => TOO_MANY);
    return [];
  });
}

const TOO_MANY = `The tasks have more than ${MOST_EDGES} dependencies between them.`;

interface Stated {
  readonly target: number;
  readonly line: number;
}

type Find = (kind: string, number: string, near: number) => number | undefined;

/** By word and number; of several with the same, the last one before, because numbers may start again in each section. */
function taskFinder(tasks: readonly HeadedTask[]): Find {
  const byName = new Map<string, number[]>();
  for (const [index, { says, parent }] of tasks.entries()) {
    if (says.number === undefined || parent !== undefined) continue;
    const name = `${says.kind} ${says.number.toLowerCase()}`;
    const same = byName.get(name);
    if (same) same.push(index);
    else byName.set(name, [index]);
  }
  return (kind, number, near) => {
    const same = byName.get(`${kindNamed(kind)} ${number.toLowerCase()}`) ?? [];
    return same.findLast((index) => index < near) ?? same[0];
  };
}

/** What the text of a task says about what it needs: `named` instead of the order, `added` to it. */
function statedIn(
  { lines, hidden }: MarkdownDocument,
  task: HeadedTask,
  index: number,
  find: Find,
  report: Report,
): { readonly named: readonly Stated[] | undefined; readonly added: readonly Stated[] } {
  let named: Stated[] | undefined;
  const added: Stated[] = [];
  /** Words in a sentence are firm about nothing: they may be about another plan. */
  const resolve = (text: string, line: number, isFirm: boolean): Stated[] =>
    mentionedIn(text).flatMap(({ kind, number }) => {
      const target = find(kind, number, index);
      if (target !== undefined && target < index) return [{ target, line }];
      if (target === index || (target === undefined && !isFirm)) return [];
      report("plan/unread-reference", { line: line + 1, column: 1 }, () =>
        target === undefined
          ? `${quote(`${kind} ${number}`)} is no task here.`
          : `${quote(`${kind} ${number}`)} does not come before the task that needs it.`,
      );
      return [];
    });
  for (let line = task.heading.line + 1; line < task.ownEnd; line += 1) {
    const text = lines[line]!;
    if (hidden[line] === 1 || !/depend|blocked|prereq|requires/i.test(text)) continue;
    const [label] = LABEL.exec(text) ?? [];
    if (label === undefined) {
      const [, said] = PROSE.exec(text.slice(0, 2000)) ?? [];
      if (said !== undefined) added.push(...resolve(said, line, false));
      continue;
    }
    const said = text.slice(label.length);
    // In a list of the task, `Requires step 1` may be about an entry of that list.
    const targets = resolve(said, line, !/^\s/.test(text));
    if (targets.length > 0 || NONE.test(said)) named = [...(named ?? []), ...targets];
    else if (!mentionedIn(said).length && said.trim() !== "")
      report(
        "plan/unread-dependency",
        { line: line + 1, column: label.length + 1 },
        () => `${quote(said.trim())} names no task; the task waits for those before it.`,
      );
  }
  return { named, added };
}

/** At the start of a line: `**Depends on:**`, `- Dependencies:`, `Blocked by:`, `Depends on Task 2`. */
const LABEL =
  /^\s*(?:[-*+]\s+)?(?:\*{1,2}|_{1,2})?(?:depends\s+on|dependencies|depends|blocked\s+by|prerequisites?|requires)(?:(?:\*{1,2}|_{1,2})?:(?:\*{1,2}|_{1,2})?|(?=\s+(?:task|step|phase|stage|milestone)s?\s+#?\d))/i;

const PROSE =
  /\bdepends(?<!\b(?:task|step|phase)s?\s+[\d.]{1,8}[a-z]?\s+depends)\s+on\s+((?:task|step|phase)s?\s+.*)$/is;

const NONE = /^\s*(?:(?:\*{1,2}|_)\s*)?(?:none|nothing|no(?:t applicable)?\b|n\/a|[-—–]\s*$)/i;

const MOST_MENTIONS = 100;

/** `Task 1, Task 3`, `Tasks 1-3 and 5`: words and numbers, ranges written out. */
function mentionedIn(text: string): readonly { readonly kind: string; readonly number: string }[] {
  const found: { kind: string; number: string }[] = [];
  for (const [, word, list] of text.slice(0, 2000).matchAll(MENTION)) {
    const kind = word!.toLowerCase();
    for (const [, from, to] of list!.matchAll(NUMBER)) {
      found.push({ kind, number: from! });
      if (to === undefined || !/^\d+$/.test(from!)) continue;
      for (let number = Number(from) + 1; number <= Number(to) && found.length < MOST_MENTIONS; number += 1)
        found.push({ kind, number: String(number) });
    }
  }
  return found.slice(0, MOST_MENTIONS);
}

const ONE = "#?\\d{1,4}(?:\\.\\d{1,4}){0,4}(?:\\.?[a-z]\\b)?";
const MENTION = new RegExp(
  `\\b(task|step|phase|stage|milestone|iteration)s?\\s+(${ONE}(?:\\s*(?:(?:,|&|and|or|through|to|-|–|—)\\s*)+${ONE})*)`,
  "gi",
);
const NUMBER =
  /(\d{1,4}(?:\.\d{1,4}){0,4}(?:\.?[a-z]\b)?)(?:\s*(?:through|to|-|–|—)\s*(\d{1,4})(?![.\d]))?/gi;

/** Tasks that a heading or a sentence, in them or before them, says can run side by side. */
function parallelTasks(
  { lines, hidden }: MarkdownDocument,
  tasks: readonly HeadedTask[],
  find: Find,
): ReadonlySet<number> {
  const found = new Set<number>();
  let own: number | undefined;
  for (const [index, { says }] of tasks.entries()) if (says.isParallel) found.add(index);
  for (let line = 0; line < lines.length; line += 1) {
    const next = (own ?? -1) + 1;
    if (tasks[next]?.heading.line === line) own = next;
    const text = lines[line]!;
    if (hidden[line] === 1 || !/parallel/i.test(text)) continue;
    const isInside = own !== undefined && line < tasks[own]!.ownEnd;
    const [said] = PARALLEL.exec(text.slice(0, 2000)) ?? [];
    if (said === undefined) continue;
    const named = mentionedIn(text).flatMap(({ kind, number }) => find(kind, number, tasks.length) ?? []);
    const isOfOthers =
      /^[\s\-*+>]*(?:tasks?|steps?|phases?)\s+#?\d/i.test(text) && !named.includes(own ?? -1);
    for (const index of named) found.add(index);
    if (isInside && !isOfOthers) found.add(own!);
  }
  return found;
}

const PARALLEL =
  /\b(?:can|may)\s+(?:all\s+|both\s+)?(?:be\s+\w+(?:\s+on)?\s+|run\s+|execute\s+|proceed\s+|happen\s+)?in\s+parallel\b|^\s*(?:[-*+]\s+)?\**parallel(?:izable)?\**:\**\s*(?:yes|true)\b|^\s*(?:[-*+]\s+)?\**(?:in\s+)?parallel\s+with\b/i;
