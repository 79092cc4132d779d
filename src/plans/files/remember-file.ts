import type { FileStamp } from "../../platform/ports/index.ts";
import { fileStamp, isSettled, isUntouched } from "../../platform/index.ts";

/**
 * Gives what was read from a file before while the file is untouched: a worker asks for its plan with every verb. A
 * caller that has the file's stamp already passes it, which saves a system call.
 */
export function rememberFile<T>(read: (path: string) => T): (path: string, look?: FileStamp) => T {
  let last: { readonly path: string; readonly look: FileStamp; readonly content: T } | undefined;
  return (path, seen) => {
    const look = seen ?? fileStamp(path);
    if (last !== undefined && look !== undefined && last.path === path && isUntouched(last.look, look))
      return last.content;
    // Reading takes a while, and what was written meanwhile may bear the same time as this look.
    const isStill = look?.isFile() === true && isSettled(look);
    const content = read(path);
    last = isStill ? { path, look, content } : undefined;
    return content;
  };
}
