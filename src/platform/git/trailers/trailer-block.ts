import type { Trailer } from "../../ports/index.ts";

/**
 * The trailers of a commit message, by the rules of `git interpret-trailers` with its default settings.
 *
 * Only the last paragraph can hold them, never the title, and only if all of its lines are trailers, or if one of them
 * is of git's own making and at least a quarter are. Text that merely looks like a trailer elsewhere is text. Git is
 * not asked, because its answer depends on the reader's configuration and messages inside squash messages need the
 * same rules.
 */
export function readTrailers(message: string): readonly Trailer[] {
  const lines = relevantLines(message);
  return parseBlock(lines.slice(blockStart(lines)));
}

/** The lines of the trailer block as they stand, and those before it; what git reads as remarks is with the latter. */
export function trailerBlock(message: string): {
  readonly before: readonly string[];
  readonly block: readonly string[];
} {
  const lines = message.split("\n");
  const relevant = relevantLines(message);
  const start = blockStart(relevant);
  // Remarks at the end, or blank lines at the start, stand between the block and the ends of the message.
  if (start === relevant.length || relevant.length !== lines.length) return { before: lines, block: [] };
  return { before: lines.slice(0, start), block: lines.slice(start) };
}

/** The first line with text, trailers or not. */
export const messageSubject = (message: string): string => /\S.*/.exec(message)?.[0].trimEnd() ?? "";

const SCISSORS = "# ------------------------ >8 ------------------------";
const KEY = /^([A-Za-z0-9-]+)[ \t]*:/;
const GIT_MADE = /^(?:Signed-off-by: |\(cherry picked from commit )/;

// Git's idea of a blank, which is narrower than that of JavaScript.
const isBlank = (line: string): boolean => /^[ \t\r]*$/.test(line);
const isIndented = (line: string): boolean => /^[ \t\r]/.test(line);
const isComment = (line: string): boolean => line.startsWith("#");

/** Without blank lines before the title, what an editor's scissors cut off, and the remarks that end a merge message. */
function relevantLines(message: string): readonly string[] {
  const all = message.split("\n");
  const cut = all.indexOf(SCISSORS);
  const lines = all.slice(
    all.findIndex((line) => !isBlank(line)),
    cut === -1 ? undefined : cut,
  );
  return lines.slice(0, remarksStart(lines));
}

/** Where the comments, empty lines and the `Conflicts:` list at the end of the message begin. */
function remarksStart(lines: readonly string[]): number {
  let start = lines.length;
  let inConflicts = false;
  for (const [index, line] of lines.entries()) {
    const isConflicts = line === "Conflicts:";
    const isRemark: boolean =
      line === "" || isComment(line) || isConflicts || (inConflicts && line.startsWith("\t"));
    inConflicts = isConflicts || (inConflicts && isRemark);
    if (!isRemark) start = lines.length;
    else if (start === lines.length) start = index;
  }
  return start;
}

/** Index of the first line of the trailer block; the number of lines when there is none. */
function blockStart(lines: readonly string[]): number {
  const titleEnd = lines.findIndex((line) => !isComment(line) && isBlank(line));
  if (titleEnd === -1) return lines.length;
  let trailers = 0;
  let others = 0;
  let indented = 0; // Lines that continue a trailer, if one stands above them.
  let gitMade = false;
  let seenText = false;
  for (let index = lines.length - 1; index >= titleEnd; index -= 1) {
    const line = lines[index]!;
    if (isComment(line)) {
      others += indented;
      indented = 0;
    } else if (isBlank(line)) {
      if (!seenText) continue;
      others += indented;
      const isBlock = trailers > 0 && (others === 0 || (gitMade && trailers * 3 >= others));
      return isBlock ? index + 1 : lines.length;
    } else {
      seenText = true;
      if (GIT_MADE.test(line) || KEY.test(line)) {
        gitMade ||= GIT_MADE.test(line);
        trailers += 1;
        indented = 0;
      } else if (isIndented(line)) {
        indented += 1;
      } else {
        others += 1 + indented;
        indented = 0;
      }
    }
  }
  return lines.length;
}

function parseBlock(lines: readonly string[]): readonly Trailer[] {
  const trailers: { key: string; value: string[] }[] = [];
  let open: string[] | undefined;
  for (const line of lines) {
    if (open !== undefined && isIndented(line)) {
      open.push(line.trim());
      continue;
    }
    const key = KEY.exec(line);
    open = key === null ? undefined : [line.slice(key[0].length).trim()];
    if (key !== null && open !== undefined) trailers.push({ key: key[1]!, value: open });
  }
  return trailers.map(({ key, value }) => ({ key, value: value.join(" ").trim() }));
}
