import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";
import { nodeCrypto } from "../../index.ts";

/** An object of git's: its name, and what is hashed to it. */
export interface GitObject {
  readonly id: string;
  readonly content: Buffer;
}

export function toObject(type: "commit" | "tree", body: Buffer, format: string): GitObject {
  const content = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]);
  return { id: nodeCrypto().createHash(format).update(content).digest("hex"), content };
}

/** A power cut leaves empty files, which git takes for whole objects. */
export const isEmptied = (commonDir: string, id: string): boolean => sizeOf(looseFile(commonDir, id)) === 0;

/** Whether it lies there as a file of its own, with something in it. */
export const isLoose = (commonDir: string, id: string): boolean =>
  (sizeOf(looseFile(commonDir, id)) ?? 0) > 0;

const looseFile = (commonDir: string, id: string): string =>
  join(commonDir, "objects", id.slice(0, 2), id.slice(2));

const sizeOf = (path: string): number | undefined => fs.statSync(path, { throwIfNoEntry: false })?.size;

/** Set-group-ID or writable by a group: git then gives its files modes of their own. */
const SHARED = 0o2020;

let written = 0;

/** Writes objects to the disk, each as a file of its own. False leaves them to git, which says what is wrong there. */
export function writeObjects(commonDir: string, objects: readonly GitObject[]): boolean {
  const folder = join(commonDir, "objects");
  try {
    if ((fs.statSync(folder).mode & SHARED) !== 0) return false;
    for (const { id, content } of objects) {
      const path = looseFile(commonDir, id);
      if ((sizeOf(path) ?? 0) > 0) continue;
      fs.mkdirSync(dirname(path), { recursive: true });
      written += 1;
      // What a kill leaves has a name that `git gc` removes.
      const draft = join(dirname(path), `tmp_obj_pawl${process.pid}-${written}`);
      fs.writeFileSync(draft, deflateSync(content), { flag: "wx", mode: 0o444, flush: true });
      fs.renameSync(draft, path);
    }
    return true;
  } catch {
    return false;
  }
}
