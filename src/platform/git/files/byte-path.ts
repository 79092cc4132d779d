/**
 * The path of a file as its bytes, one character each (latin1).
 *
 * File names need not be UTF-8, and text that has been through a decoder names another file. As a string the bytes
 * can be a key and be compared; only `shown` makes text for people of them.
 */
export type BytePath = string;

export const fromBytes = (bytes: Uint8Array): BytePath => Buffer.from(bytes).toString("latin1");

export const toBytes = (path: BytePath): Buffer => Buffer.from(path, "latin1");

/** Where a path is on disk. */
export const onDisk = (root: string, path: BytePath): Buffer =>
  Buffer.concat([Buffer.from(`${root}/`), toBytes(path)]);

export const shown = (path: BytePath): string => toBytes(path).toString("utf8");

export const parentOf = (path: BytePath): BytePath | undefined => {
  const end = path.lastIndexOf("/");
  return end === -1 ? undefined : path.slice(0, end);
};

/** The folders above a path, the outermost first. */
export function foldersAbove(path: BytePath): BytePath[] {
  const folders: BytePath[] = [];
  for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1))
    folders.push(path.slice(0, end));
  return folders;
}
