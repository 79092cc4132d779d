import { Failure } from "../../../domain/errors.ts";
import { foldersAbove, shown, type BytePath } from "../files/byte-path.ts";
import { kindReader, filesBelow, isFile, isVersion, SUBMODULE, type FileKind } from "../files/disk-file.ts";
import type { FileChange } from "../files/diff-trees.ts";

/**
 * Files on disk that a restore would replace although no tree knows them as they are.
 *
 * Ignored ones, as a rule; or files that git calls unchanged because it once converted them by rules that are gone.
 * They are saved like everything else before they go. A repository of its own in such a place is refused.
 */
export function replacedFiles(root: string, changes: readonly FileChange[]): ReadonlyMap<BytePath, FileKind> {
  const leaving = new Set(changes.filter(({ to }) => to === undefined).map(({ path }) => path));
  const found = new Map<BytePath, FileKind>();
  const checked = new Set<BytePath>();
  // Behind a link that took a folder's place lies what is none of ours, under the same names.
  const look = kindReader(root);
  const add = (path: BytePath, kind: FileKind): void => void (leaving.has(path) || found.set(path, kind));
  for (const { path, from, to } of changes) {
    const now = from === undefined || from.mode === SUBMODULE ? "nothing" : look(path);
    if (isFile(now) && !isVersion(root, path, now, from!)) found.set(path, now);
    if (to === undefined) continue;
    for (const folder of foldersAbove(path)) {
      if (checked.has(folder)) continue;
      checked.add(folder);
      const kind = look(folder);
      if (isFile(kind)) add(folder, kind);
      else if (kind === "special") throw refused(folder, SPECIAL);
      else if (kind === "folder" && look(`${folder}/.git`) !== "nothing") throw refused(folder);
      if (kind !== "folder") break;
    }
    const kind = look(path);
    if (kind === "special") throw refused(path, SPECIAL);
    if (from !== undefined) continue;
    if (isFile(kind)) add(path, kind);
    else if (kind === "folder" && to.mode !== SUBMODULE) addBelow(root, path, add);
  }
  return found;
}

function addBelow(root: string, folder: BytePath, add: (path: BytePath, kind: FileKind) => void): void {
  const refuse = (inner: BytePath): never => {
    throw refused(inner);
  };
  for (const [path, kind] of filesBelow(root, folder, refuse)) add(path, kind);
}

const SPECIAL = "a pipe, a socket or a device, which cannot be saved";

const refused = (path: BytePath, what = "a repository of its own"): Failure =>
  new Failure("snapshot/in-the-way", `${shown(path)} is in the way: it is ${what}.`, { path: shown(path) });
