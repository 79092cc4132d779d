import { statSync } from "node:fs";

/**
 * Gives what was read from a file before while the file is untouched: a worker asks for its plan with every verb.
 *
 * Two changes within one tick of the file system's clock leave the same time behind. So only what had lain still for a
 * while when it was read is believed to be the same.
 */
export function rememberFile<T>(read: (path: string) => T): (path: string) => T {
  let last: { readonly path: string; readonly mark: string; readonly content: T } | undefined;
  return (path) => {
    const mark = markOf(path);
    if (mark !== undefined && last?.path === path && last.mark === mark) return last.content;
    const content = read(path);
    last = mark === undefined ? undefined : { path, mark, content };
    return content;
  };
}

/** The coarsest file systems count in steps of two seconds. */
const STILL_MS = 3000;

/** Undefined for what is no file, or changed just now. */
function markOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile() || Math.abs(Date.now() - stat.ctimeMs) < STILL_MS) return undefined;
  return `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`;
}
