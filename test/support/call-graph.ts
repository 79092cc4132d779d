import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { namesFromImports } from "../../scripts/through-doors.mjs";

/** A declaration at the top of a file, with the words in it. */
interface Declaration {
  readonly name: string;
  readonly words: ReadonlySet<string>;
}

export interface CallGraph {
  /** Files from the first to the last; the first one is called from outside. */
  readonly files: readonly string[];
  /** Rows of tables that are on the way, such as `claim`; other rows of the same table are not. */
  readonly rows: readonly string[];
  readonly read?: (file: string) => string;
}

const readText = (file: string): string => readFileSync(file, "utf8");

/**
 * The files that nothing calls which runs when the first one does.
 *
 * A file calls a name when a declaration of it that is itself called has the name in its code, and imports it as a value
 * or lazily, through the door of its room or from the file itself. Only files of the list count, and only those before
 * the one that is called.
 */
export function notCalled({ files, rows, read = readText }: CallGraph): readonly string[] {
  const paths = files.map((file) => resolve(file));
  const called = new Map(paths.map((path) => [path, new Set<string>()]));
  for (const [index, path] of paths.entries()) {
    const text = read(path);
    const all = declarationsIn(text, rows);
    const reached = index === 0 ? all : reachedIn(all, called.get(path)!);
    const later = new Set(paths.slice(index + 1));
    for (const { name, file, isLazy } of namesFromImports(path, text).filter((one) => later.has(one.file)))
      for (const { words } of reached.filter((one) => one.words.has(name)))
        for (const target of isLazy ? words : [name]) called.get(file)!.add(target);
  }
  return files.filter(
    (_, index) =>
      index > 0 &&
      reachedIn(declarationsIn(read(paths[index]!), rows), called.get(paths[index]!)!).length === 0,
  );
}

/** Those that are called from other files, and what these call in their own. */
function reachedIn(all: readonly Declaration[], called: ReadonlySet<string>): readonly Declaration[] {
  const reached = new Set(all.filter(({ name }) => called.has(name)));
  for (const { words } of reached) for (const other of all) if (words.has(other.name)) reached.add(other);
  return [...reached];
}

const DECLARATION = /^(?=(?:export )?(?:async )?(?:function|const|let|class|interface|type) )/m;
const NAME = /^(?:export )?(?:async )?(?:function|const|let|class) +([\w$]+)/;
const NOT_CODE = /\/\*.*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"/gs;
/** A line that begins a row of a table. */
const ROW = /^ {2}(?="?(\w[\w -]*)"?:)/m;

function declarationsIn(text: string, rows: readonly string[]): readonly Declaration[] {
  return text.split(DECLARATION).map((code) => {
    const [head = "", ...parts] = code.split(ROW);
    // Every other part is the name of the row that follows it.
    const named = parts.flatMap((row, index) =>
      index % 2 === 0 ? [{ row, body: parts[index + 1] ?? "" }] : [],
    );
    const chosen = named.filter(({ row }) => rows.includes(row));
    const kept = chosen.length > 0 ? [head, ...chosen.map(({ body }) => body)].join("\n") : code;
    const words = kept.replaceAll(NOT_CODE, " ").match(/[\w$]+/g) ?? [];
    return { name: NAME.exec(code)?.[1] ?? "", words: new Set(words) };
  });
}
