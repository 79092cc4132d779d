import { Failure } from "../../domain/errors.ts";
import { foldersAbove, onDisk, shown, type BytePath } from "../byte-path.ts";
import { filesBelow, isFile, isVersion, look, SUBMODULE, type FileKind } from "./disk-file.ts";
import type { Change } from "./raw-diff.ts";

/**
 * Files on disk that a restore would replace although no tree knows them as they are.
 *
 * Ignored ones, as a rule; or files that git calls unchanged because it once converted them by rules that are gone.
 * They are saved like everything else before they go. A repository of its own in such a place is refused.
 */
export function filesInTheWay(root: string, changes: readonly Change[]): ReadonlyMap<BytePath, FileKind> {
  const leaving = new Set(changes.filter(({ to }) => to === undefined).map(({ path }) => path));
  const found = new Map<BytePath, FileKind>();
  const checked = new Set<BytePath>();
  const add = (path: BytePath, kind: FileKind): void => void (leaving.has(path) || found.set(path, kind));
  for (const { path, from, to } of changes) {
    const now = from === undefined || from.mode === SUBMODULE ? "nothing" : look(onDisk(root, path));
    if (isFile(now) && !isVersion(root, path, now, from!)) found.set(path, now);
    if (to === undefined) continue;
    for (const folder of foldersAbove(path)) {
      if (checked.has(folder)) continue;
      checked.add(folder);
      const kind = look(onDisk(root, folder));
      if (isFile(kind)) add(folder, kind);
      else if (kind === "folder" && look(onDisk(root, `${folder}/.git`)) !== "nothing") throw refused(folder);
      if (kind !== "folder") break;
    }
    if (from !== undefined) continue;
    const kind = look(onDisk(root, path));
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

const refused = (folder: BytePath): Failure =>
  new Failure("snapshot/in-the-way", `${shown(folder)} is in the way: it is a repository of its own.`, {
    path: shown(folder),
  });
