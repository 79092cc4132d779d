import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../domain/index.ts";

/** A file of the page, ready to go out. */
export interface PageFile {
  readonly type: string;
  readonly plain: Buffer;
  /** Made by the build, because it costs more than a person should wait for. */
  readonly packed: Buffer | undefined;
  /** Its name has its content's hash in it, so it never changes. */
  readonly isForEver: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

/**
 * All files of the page by the exact path they are asked for. They are read once, and what a caller sends is only ever
 * looked up here: no path of theirs reaches the disk.
 */
export function loadPage(folder: string): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  for (const name of namesIn(folder)) {
    const type = TYPES[name.slice(name.lastIndexOf(".") + 1)];
    if (type === undefined) continue;
    const plain = readFileSync(join(folder, name));
    const packed = names(folder).has(`${name}.br`) ? readFileSync(join(folder, `${name}.br`)) : undefined;
    const isEntry = name === "index.html";
    files.set(isEntry ? "/" : `/${name}`, {
      type,
      plain,
      packed,
      isForEver: !isEntry && /-[\w-]{8}\./.test(name),
    });
  }
  if (!files.has("/")) throw new Failure("ui/incomplete", `There is no page in ${folder}.`, { folder });
  return files;
}

const names = (folder: string): ReadonlySet<string> => new Set(namesIn(folder));

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
