/** A file of a patch. */
export interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly kind: "added" | "deleted" | "renamed" | "changed" | "binary";
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly Hunk[];
}

export interface Hunk {
  /** What git says around it, such as the function. */
  readonly about: string;
  readonly lines: readonly Line[];
}

export interface Line {
  readonly kind: "same" | "added" | "removed" | "note";
  readonly old: number | undefined;
  readonly now: number | undefined;
  readonly text: string;
}

/** Reads what `git diff` prints. What stands before the first file, as a summary, is left out. */
export function parsePatch(patch: string): readonly FileChange[] {
  const files: FileChange[] = [];
  const [, ...blocks] = `\n${patch}`.split(/\n(?=diff --git )/);
  for (const block of blocks) files.push(parseFile(block.split("\n")));
  return files;
}

function parseFile(lines: readonly string[]): FileChange {
  const first = lines.findIndex((line) => line.startsWith("@@"));
  const head = first === -1 ? lines : lines.slice(0, first);
  const of = (start: string): string | undefined =>
    head.find((line) => line.startsWith(start))?.slice(start.length);
  const name = (text: string | undefined): string | undefined =>
    text === undefined || text === "/dev/null" ? undefined : unquote(text).replace(/^[ab]\//, "");
  const [before, now] = [name(of("--- ")), name(of("+++ "))];
  const renamed = of("rename to ");
  const isBinary = head.some((line) => line.startsWith("Binary files ") || line.startsWith("GIT binary"));
  const hunks = first === -1 ? [] : hunksOf(lines.slice(first));
  const count = (kind: Line["kind"]): number =>
    hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.kind === kind).length, 0);
  return {
    path: now ?? (renamed === undefined ? undefined : unquote(renamed)) ?? before ?? nameIn(lines[0] ?? ""),
    before: of("rename from ") ?? before,
    kind: isBinary
      ? "binary"
      : of("new file mode") !== undefined
        ? "added"
        : of("deleted file mode") !== undefined
          ? "deleted"
          : renamed === undefined
            ? "changed"
            : "renamed",
    added: count("added"),
    removed: count("removed"),
    hunks,
  };
}

/** Of a file without lines only the first line names it. */
const nameIn = (line: string): string => unquote(/ ("?b\/.*)$/.exec(line)?.[1] ?? line).replace(/^b\//, "");

/** Git quotes names with bytes beyond ASCII, tabs and quotes. */
function unquote(name: string): string {
  const [, inside] = /^"(.*)"$/.exec(name.trimEnd()) ?? [];
  if (inside === undefined) return name.replace(/\t$/, "");
  const bytes: number[] = [];
  const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", '"': '"', "\\": "\\" };
  for (const [part, octal, letter] of inside.matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/g)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...new TextEncoder().encode(letter === undefined ? part : (escapes[letter] ?? letter)));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

function hunksOf(lines: readonly string[]): readonly Hunk[] {
  const hunks: { about: string; lines: Line[] }[] = [];
  let [old, now] = [0, 0];
  for (const line of lines) {
    const start = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/.exec(line);
    const hunk = hunks.at(-1);
    if (start) {
      [old, now] = [Number(start[1]), Number(start[2])];
      hunks.push({ about: start[3] ?? "", lines: [] });
    } else if (hunk === undefined) continue;
    else if (line.startsWith("+"))
      hunk.lines.push({ kind: "added", old: undefined, now: now++, text: line.slice(1) });
    else if (line.startsWith("-"))
      hunk.lines.push({ kind: "removed", old: old++, now: undefined, text: line.slice(1) });
    else if (line.startsWith(" "))
      hunk.lines.push({ kind: "same", old: old++, now: now++, text: line.slice(1) });
    else if (line.startsWith("\\"))
      hunk.lines.push({ kind: "note", old: undefined, now: undefined, text: line.slice(2) });
  }
  return hunks;
}
