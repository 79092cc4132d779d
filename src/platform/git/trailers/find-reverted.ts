import { messageSubject } from "./trailer-block.ts";

/** A commit that may take others back. */
export interface Revertible {
  readonly id: string;
  readonly subject: string;
  readonly reverts: readonly RevertedTargets[];
}

export interface RevertedTargets {
  readonly ids: readonly string[];
  /** Looked for among the older commits when none of the ids is here: a rebase renames commits, but not in messages. */
  readonly subject: string | undefined;
}

/**
 * Which commits are taken back, and by which commit.
 *
 * One pass from the newest to the oldest is enough: when a commit is reached, everything that could take it back has
 * been seen. A revert that was itself taken back has no effect, so what it took back stands again, to any depth.
 */
export function findReverted(newestFirst: readonly Revertible[]): ReadonlyMap<string, string> {
  const positions = new Map(newestFirst.map(({ id }, position) => [id, position]));
  const revertedBy = new Map<string, string>();
  const olderBySubject = bySubject(newestFirst, revertedBy);
  for (const [position, { id, reverts }] of newestFirst.entries()) {
    if (revertedBy.has(id)) continue;
    for (const { ids, subject } of reverts) {
      const named = ids.filter((target) => positions.has(target));
      const twin =
        named.length === 0 && subject !== undefined ? olderBySubject(subject, position) : undefined;
      for (const target of twin === undefined ? named : [twin]) {
        const isOlder = (positions.get(target) ?? -1) > position;
        if (isOlder && !revertedBy.has(target)) revertedBy.set(target, id);
      }
    }
  }
  return revertedBy;
}

/** Gives the newest commit of a title that is older than a position and stands. Positions asked for must not fall. */
function bySubject(
  newestFirst: readonly Revertible[],
  revertedBy: ReadonlyMap<string, string>,
): (subject: string, position: number) => string | undefined {
  const waiting = new Map<string, number[]>();
  for (let position = newestFirst.length - 1; position >= 0; position -= 1) {
    const { subject } = newestFirst[position]!;
    const stack = waiting.get(subject);
    if (stack === undefined) waiting.set(subject, [position]);
    else stack.push(position);
  }
  return (subject, position) => {
    const stack = waiting.get(subject) ?? [];
    for (let candidate = stack.pop(); candidate !== undefined; candidate = stack.pop()) {
      const { id } = newestFirst[candidate]!;
      if (candidate > position && !revertedBy.has(id)) return id;
    }
    return undefined;
  };
}

/** What a commit says it takes back. Names may be abbreviated. */
export interface Revert {
  readonly commit: string;
  /** Set for a merge: everything it brought to this parent is taken back. */
  readonly mainline: string | undefined;
  /** Title of the commit taken back, to find it by when a rebase has given it another name. */
  readonly subject: string | undefined;
}

const REVERTS =
  /^This reverts commit ([0-9a-f]{7,64})\b(?:,\s{1,4}reversing\s{1,4}changes made to ([0-9a-f]{7,64})\b)?/gm;
const MAX_REVERTS = 1_000;

/** Reads the sentence that `git revert` writes, in all its forms, at the start of a line. */
export function readReverts(message: string): readonly Revert[] {
  const found = [...message.matchAll(REVERTS)].slice(0, MAX_REVERTS);
  const subject = found.length === 1 ? revertedSubject(messageSubject(message)) : undefined;
  return found.map((match) => ({ commit: match[1]!, mainline: match[2], subject }));
}

/** `Reapply` is what newer versions of git call the revert of a revert; hosting services add the number of a request. */
function revertedSubject(subject: string): string | undefined {
  const [, verb, title] = /^(Revert|Reapply) "(.*)"(?: \(#\d+\))?$/.exec(subject) ?? [];
  return verb === "Reapply" ? `Revert "${title}"` : title;
}
