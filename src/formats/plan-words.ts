/** Titles stand in lists: one line, and not a long one. */
export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= LONGEST_TITLE
    ? line
    : `${line.slice(0, LONGEST_TITLE - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

const LONGEST_TITLE = 200;

/** An id as an anchor, which is typed on a command line and stands in refs: letters, digits, dash, dot, underscore. */
export function anchorFor(id: string, otherwise: string): string {
  const anchor = id
    .slice(0, 4 * LONGEST_ANCHOR)
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, LONGEST_ANCHOR);
  return anchor === "" ? otherwise : anchor;
}

const LONGEST_ANCHOR = 200;
