import * as fs from "node:fs";
import { join } from "node:path";
import { Failure } from "../../../domain/index.ts";
import { type BytePath, foldersAbove, shown, toBytes } from "../files/byte-path.ts";
import { type FileChange, filesOf } from "../files/diff-trees.ts";
import { type FileKind, filesBelow, isFile, isVersion, kindReader, SUBMODULE } from "../files/disk-file.ts";
import { recordsOf } from "../process/git-output.ts";
import { gitRunner } from "../process/run-git.ts";
import { putFiles } from "./put-files.ts";
import { SNAPSHOT_TIMEOUT_MS, type WorktreeGit } from "./snapshot-scope.ts";

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

/**
 * Leaves out the removal of files that the restored worktree ignores.
 *
 * Where the rules have changed since, what was ignored then looks like a new file now. Restoring must not take away
 * a person's build folder only because it was never part of a snapshot. The rules of the snapshot are asked in a folder
 * that holds nothing but them.
 */
export async function spareIgnored(
  place: WorktreeGit,
  commit: string,
  changes: readonly FileChange[],
  scratch: string,
): Promise<readonly FileChange[]> {
  const leaving = changes.filter(({ to }) => to === undefined).map(({ path }) => path);
  if (leaving.length === 0) return changes;
  const rules = (await filesOf(place.run, commit)).filter(({ path }) => /(?:^|\/)\.gitignore$/.test(path));
  const folder = join(scratch, "rules");
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const added = rules.map(({ path, mode, oid }) => ({ path, from: undefined, to: { mode, oid } }));
  await putFiles(place.run, folder, added, { fsync: false, permissions: new Map() });
  const run = gitRunner({
    gitDir: place.gitDir,
    workTree: folder,
    env: place.env,
    timeoutMs: SNAPSHOT_TIMEOUT_MS,
  });
  const ignored = await recordsOf(run, {
    args: ["check-ignore", "-z", "--stdin", "--no-index"],
    access: "read",
    input: Buffer.concat(leaving.map((path) => toBytes(`${path}\0`))),
    answers: [1],
  });
  const wanted = changes.flatMap(({ path, to }) => (to === undefined ? [] : [path]));
  const spared = new Set(ignored.filter((path) => !isInTheWay(path, wanted)));
  return changes.filter(({ path, to }) => to !== undefined || !spared.has(path));
}

function isInTheWay(path: BytePath, wanted: readonly BytePath[]): boolean {
  const above = new Set(foldersAbove(path));
  return wanted.some((one) => above.has(one) || one.startsWith(`${path}/`));
}
