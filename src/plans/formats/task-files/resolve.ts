import type { Dependency } from "../../../domain/index.ts";
import { quote, type Report } from "../diagnostics.ts";
import type { Mention } from "./mentions.ts";
import type { Task } from "./task.ts";
import { keyOf } from "./task-ids.ts";

/** What can be depended on, by the value of its id. */
export interface Known {
  readonly tasks: ReadonlyMap<string, Task>;
  /** Ids whose file could not be read, with its name. */
  readonly unread: ReadonlyMap<string, string>;
  readonly archived: ReadonlySet<string>;
}

export interface Resolved {
  readonly dependsOn: readonly Dependency[];
  /** Why the task cannot go on although nothing it can wait for is open. */
  readonly obstacle: string | undefined;
}

const NOTHING: Resolved = { dependsOn: [], obstacle: undefined };

/** Links what a task says it depends on to other tasks. What is missing or unreadable blocks it, and only it. */
export function resolveMentions(task: Task, known: Known, report: Report): Resolved {
  if (task.dependencies.length === 0) return NOTHING;
  // Of several that mean one task the last counts. Most tasks have one, and nothing to look up.
  const edges = task.dependencies.length === 1 ? undefined : new Map<string, Dependency>();
  let only: Dependency | undefined;
  let obstacle: string | undefined;
  for (const mention of task.dependencies) {
    const key = keyMentioned(mention.text, known);
    const target = key === undefined ? undefined : known.tasks.get(key);
    if (target && target !== task) {
      only = new Edge(target.anchor, mention);
      edges?.set(target.anchor, only);
    } else {
      const why = unlinked(mention, key, { task, target, known, report });
      obstacle ??= why;
    }
  }
  return { dependsOn: edges ? [...edges.values()] : only ? [only] : NOTHING.dependsOn, obstacle };
}

interface Unlinked {
  readonly task: Task;
  readonly target: Task | undefined;
  readonly known: Known;
  readonly report: Report;
}

/** What is said about a mention that leads to no other task; and why the task cannot go on, where that follows. */
function unlinked(
  mention: Mention,
  key: string | undefined,
  { task, target, known, report }: Unlinked,
): string | undefined {
  const { text } = mention;
  if (key === undefined) report("plan/dependency-remark", mention.at, () => `${quote(text)} names no task.`);
  else if (target) report("plan/self-dependency", mention.at, () => `${task.anchor} waits for itself.`);
  else if (known.archived.has(key))
    report("plan/archived-task", mention.at, () => `${quote(text)} is in the archive.`);
  else if (saysDone(mention))
    report("plan/archived-task", mention.at, () => `${quote(text)} has no file, and says that it is done.`);
  else return missing(mention, known.unread.get(key), report);
  return undefined;
}

/** Its line is asked for only when something is wrong with it. */
class Edge implements Dependency {
  readonly anchor: string;
  private readonly mention: Mention;

  constructor(anchor: string, mention: Mention) {
    this.anchor = anchor;
    this.mention = mention;
  }

  get line(): number {
    return this.mention.at.line;
  }
}

function missing(mention: Mention, file: string | undefined, report: Report): string {
  const { text } = mention;
  if (file !== undefined) return `it waits for ${file}, which cannot be read`;
  report("plan/missing-task", mention.at, () => `No file describes ${quote(text)}.`);
  return `it waits for ${short(text)}, which no file describes`;
}

const short = (text: string): string => (text.length <= 60 ? text : `${text.slice(0, 59)}…`);

/** A bare id, or prose that begins with `Task 9`. Undefined for anything else: access rights, files, remarks. */
function keyMentioned(text: string, { tasks, unread, archived }: Known): string | undefined {
  const whole = keyOf(text);
  if (tasks.has(whole) || unread.has(whole) || archived.has(whole)) return whole;
  if (/^(?:task[-_ ]?)?\d+(?:[-_.]\d+)*$/i.test(text.trim())) return whole;
  const [, digits] = /^task[-_ ]?#?(\d{1,9}(?:[-_.]\d{1,9}){0,5})(?![\w-])/i.exec(text.trim()) ?? [];
  return digits === undefined ? undefined : keyOf(digits);
}

const saysDone = ({ text }: Mention): boolean =>
  /✅|\b(?:complete|completed|finished|done)\s*(?:\)\s*)?$/i.test(text.slice(-200));
