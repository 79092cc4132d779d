/** More steps than any plan has; a hostile one has millions. */
export const MAX_STEPS = 50_000;

/** Titles stand in lists: one line, and not a long one. */
export function titleLine(text: string): string {
  const line = ODD_BLANK.test(text) ? text.replace(/\s+/g, " ").trim() : text;
  return line.length <= LONGEST_TITLE
    ? line
    : `${line.slice(0, LONGEST_TITLE - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Nearly every title is in one line already; looking is cheaper than writing it anew. */
const ODD_BLANK = /[^\S ]|^ | $| {2}/;

const LONGEST_TITLE = 200;

/** The title of a step that is written in Markdown, without the marks for bold; what it is known by stays as it is. */
export function markdownTitle(text: string): { readonly title: string; readonly markedTitle?: string } {
  const markedTitle = titleLine(text);
  if (!text.includes("**")) return { title: markedTitle };
  const title = titleLine(
    text.slice(0, 5 * LONGEST_TITLE).replace(CODE_OR_BOLD, (whole, _ticks, bold?: string) => bold ?? whole),
  );
  return title === markedTitle ? { title } : { title, markedTitle };
}

/** Asterisks in code are no marks, nor are those between letters. */
const CODE_OR_BOLD = /(`+)[^`]+\1|(?<![\w*])\*\*(?=[^\s*])((?:`[^`]*`|[^*`])+)(?<=\S)\*\*(?![\w*])/g;

/** An id as an anchor, which is typed on a command line and stands in refs: letters, digits, dash, dot, underscore. */
export function anchorFor(id: string, otherwise: string): string {
  if (PLAIN_ANCHOR.test(id)) return id;
  const anchor = id
    .slice(0, 4 * LONGEST_ANCHOR)
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, "-")
    .replace(/^-+|(?<!-)-+$/g, "")
    .slice(0, LONGEST_ANCHOR);
  return anchor === "" ? otherwise : anchor;
}

const LONGEST_ANCHOR = 200;

/** What nearly every id is: an anchor as it stands. */
const PLAIN_ANCHOR = /^[A-Za-z0-9._](?:[A-Za-z0-9._-]{0,198}[A-Za-z0-9._])?$/;

/** `~~words~~`, also with a word behind it that says why: the author took them back. What stands there instead is work. */
export const isStruckOut = (text: string): boolean => text.startsWith("~~") && STRUCK_OUT.test(text);

const STRUCK_OUT =
  /^~~.*~~[^\w~]*(?:(?:won['’]?t (?:do|fix)|wontfix|removed|dropped|cancell?ed|obsolete|superseded|skipped|deferred|postponed|out of scope|(?:no longer|not) needed|n\/a)\b.*)?$/i;
