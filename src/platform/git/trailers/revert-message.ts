import { messageSubject } from "./trailer-block.ts";

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
