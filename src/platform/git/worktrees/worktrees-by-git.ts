import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, isAbsolute, join, relative, resolve, sep } from "node:path";
import { entryName, Failure, isWorktreeName } from "../../../domain/index.ts";
import type {
  FileList,
  Files,
  ListedWorktree,
  Locks,
  Repository,
  Worktree,
  Worktrees,
} from "../../ports/index.ts";
import { retryLocked } from "../locks/retry-locked.ts";
import { gitRunner, type GitSetting, type RunGit } from "../process/run-git.ts";
import { withoutPrograms } from "../process/without-programs.ts";
import { addWorktree } from "./add-worktree.ts";
import { countIgnored, isBehind, uncommittedChanges } from "./uncommitted-changes.ts";
import { copyIncluded } from "./copy-included.ts";
import { hasLeftovers, isUnfinished } from "../checkout/checkout-paths.ts";
import { listLockFiles } from "../locks/list-lock-files.ts";
import { findUnlisted } from "./unlisted-folders.ts";
import { mainIfFree } from "./main-checkout.ts";
import { clearHalfMade, findUnusable, listAround } from "./half-made.ts";
import { hasAllFiles } from "./has-all-files.ts";
import { readWorktrees, READY_MARK } from "./list-worktrees.ts";
import { loneCommits } from "./lone-commits.ts";
import { markReady } from "./mark-ready.ts";
import { moveAside } from "./move-aside.ts";
import { detachWorktree, reattach, releaseDetached, removeByGit } from "./detach-worktree.ts";
import { folderBytes, listFiles } from "./list-files.ts";
import { cleanCheckout, cleanPlace, dropCheckout } from "./clean-checkout.ts";
import { type SharedFolders, shareFolders } from "./share-folders.ts";
import { canonicalPath, hasPointer } from "./worktree-entry.ts";

export interface WorktreesSetting extends GitSetting {
  readonly repository: Repository;
  readonly files: Files;
  readonly locks: () => Promise<Locks>;
  /** The setting `worktree_dir`. */
  readonly worktreeDir: string | undefined;
  /** What `[worktree]` says; a fault in it is thrown. */
  readonly shared: () => SharedFolders;
}

/** The worktrees port by the `git` program of PATH. */
export function worktreesByGit(setting: WorktreesSetting): Worktrees {
  const { gitDir: commonDir, repository, files } = setting;
  const run = retryLocked(gitRunner(setting));
  const look = withoutPrograms(run);
  const { mainTopLevel } = repository;
  const folder = worktreeFolder(setting);
  const halfMade = { commonDir, folder };
  const list = () => listAround(halfMade, () => readWorktrees({ run, commonDir, mainTopLevel }));
  const entryOf = ({ id }: Pick<ListedWorktree, "id">): string => entryPath(commonDir, id) ?? commonDir;
  const ifFree: Worktrees["mainIfFree"] = (wanted) => mainIfFree({ commonDir, mainTopLevel }, wanted);
  return {
    list,
    mainIfFree: ifFree,
    checkoutsOf: async (branch) => (ifFree({ branch, path: NOWHERE }) ? [] : havingOut(await list(), branch)),
    unusable: () => findUnusable(halfMade),
    clearHalfMade: () => clearHalfMade(halfMade),
    pathFor: (name) => join(folder, name),
    nameAt(path) {
      const name = relative(folder, canonicalPath(resolve(path)));
      return isWorktreeName(name) ? name : undefined;
    },
    canonical: (path) => canonicalPath(isAbsolute(path) ? path : resolve(path)),
    occupantOf,
    add: (request) => addIn(folder, setting, () => addWorktree(run, request, commonDir)),
    state(worktree) {
      const gitDir = entryOf(worktree);
      if (!hasPointer(worktree.path) || !existsSync(gitDir)) return "gone";
      return existsSync(join(gitDir, READY_MARK)) ? "ready" : "unfinished";
    },
    hasAllFiles: (worktree) => hasAllFiles(look, worktree.path, entryOf(worktree)),
    lock: async ({ path }, reason) => {
      await run({ args: ["worktree", "lock", "--reason", reason, path], access: "write" });
    },
    unlock: async ({ path }) => {
      await run({ args: ["worktree", "unlock", path], access: "write" });
    },
    reattach: (missing) => reattach({ path: missing.path, entry: entryOf(missing) }),
    moveAside: (missing) => {
      const { path } = missing;
      return [...releaseDetached({ path, entry: entryOf(missing) }), ...[moveAside(path) ?? []].flat()];
    },
    markReady: (worktree, { once }) =>
      markReady(worktree, { files, commonDir, entry: entryOf(worktree), once }),
    unmark: (worktree) => rmSync(join(entryOf(worktree), READY_MARK), { force: true }),
    changes: (worktree) => uncommittedChanges(look, worktree),
    ignoredFiles: ({ path }) => countIgnored(run, path),
    bytes: ({ path }) => folderBytes(path),
    listFiles: (worktree) => fileListOf(worktree, commonDir),
    loneCommits: (worktree) => loneCommits(run, worktree, entryOf(worktree)),
    ...forwardPart(setting, run, entryOf),
    ...checkPart(setting, run, folder),
    ...includedPart(setting, run, folder),
    unlisted: async () => findUnlisted(folder, commonDir, await list()),
    lockFiles: () => listLockFiles(commonDir),
  };
}

/** No worktree lies at this path. */
const NOWHERE = "";

const havingOut = (listed: readonly ListedWorktree[], branch: string): readonly ListedWorktree[] =>
  listed.filter((one) => one.branch === branch && !one.isBare && !one.isMissing);

/** What a new worktree gets of the main checkout beside its branch. */
function includedPart(
  { repository, shared }: WorktreesSetting,
  run: RunGit,
  folder: string,
): Pick<Worktrees, "copyIncluded" | "shareFolders"> {
  const { mainTopLevel: from } = repository;
  return {
    copyIncluded: ({ path }) =>
      copyIncluded({ run, from, to: () => repository.worktree(path).path, worktreeFolder: folder }),
    async shareFolders({ path }) {
      const { names, by } = shared();
      if (names.length === 0) return { copied: [], skipped: [] };
      return shareFolders({ names, by, run, from, to: repository.worktree(path).path });
    },
  };
}

/** Clean checkouts for checks, and how worktrees are removed, which takes theirs along. */
function checkPart(
  setting: WorktreesSetting,
  run: RunGit,
  folder: string,
): Pick<Worktrees, "cleanCheckout" | "remove" | "detach"> {
  const { gitDir: commonDir, repository } = setting;
  const entryOf = ({ id }: Pick<ListedWorktree, "id">): string => entryPath(commonDir, id) ?? commonDir;
  const placeOf = (worktree: Pick<ListedWorktree, "id">) => {
    const entry = entryPath(commonDir, worktree.id);
    return cleanPlace(folder, commonDir, entry === undefined ? "main" : basename(entry));
  };
  return {
    async cleanCheckout(worktree, asked) {
      makeFolder(folder, setting);
      const place = asked.name === undefined ? placeOf(worktree) : cleanPlace(folder, commonDir, asked.name);
      await cleanCheckout(run, commonDir, place, asked);
      const from = repository.mainTopLevel;
      await copyIncluded({ run, from, to: () => place.path, worktreeFolder: folder });
      return place.path;
    },
    remove(worktree, options) {
      dropCheckout(placeOf(worktree));
      return removeByGit(run, entryOf(worktree), worktree, options);
    },
    detach(worktree, files) {
      dropCheckout(placeOf(worktree));
      return detachWorktree(run, entryOf(worktree), worktree, files);
    },
  };
}

/** How checkouts are brought forward. */
function forwardPart(
  setting: WorktreesSetting,
  run: RunGit,
  entryOf: (worktree: Pick<ListedWorktree, "id">) => string,
): Pick<Worktrees, "inTheWay" | "fastForward" | "finishForward" | "isBehind" | "isHalfForward"> {
  const forward = { git: setting, files: setting.files, run };
  const checkoutOf = ({ path, id }: Worktree) => ({ path, gitDir: entryOf({ id }) });
  const inTurn = async <T>({ path }: Worktree, work: () => Promise<T>): Promise<T> =>
    (await setting.locks()).during(`forward ${path}`, work);
  return {
    inTheWay: async (worktree, way) => (await forwarding()).inTheWay(forward, checkoutOf(worktree), way),
    fastForward: (worktree, way) =>
      inTurn(worktree, async () => (await forwarding()).fastForward(forward, checkoutOf(worktree), way)),
    finishForward: async (worktree) =>
      hasLeftovers(checkoutOf(worktree))
        ? inTurn(worktree, async () => (await forwarding()).finishForward(forward, checkoutOf(worktree)))
        : undefined,
    isBehind: ({ path }, move) => isBehind(run, path, move),
    isHalfForward: (worktree) => isUnfinished(checkoutOf(worktree)),
  };
}

/** Half of all this code, and most commands bring no checkout forward. */
const forwarding = () => import("../checkout/fast-forward.ts");

/** In a bare repository there is no checkout to put them in, and beside it may lie another one's. */
function worktreeFolder({ repository, worktreeDir, gitDir }: WorktreesSetting): string {
  const top = repository.mainTopLevel;
  if (worktreeDir !== undefined) return canonicalPath(resolve(top ?? gitDir, worktreeDir));
  return top === undefined ? join(gitDir, "pawl", "worktrees") : join(top, ".pawl", "worktrees");
}

async function addIn<T>(folder: string, setting: WorktreesSetting, add: () => Promise<T>): Promise<T> {
  makeFolder(folder, setting);
  return add();
}

/** Makes the folder of the worktrees; inside a checkout it keeps itself out of everybody's `git status`. */
function makeFolder(folder: string, { repository, files, worktreeDir }: WorktreesSetting): void {
  if (worktreeDir === undefined && canonicalPath(folder) !== folder) {
    throw new Failure("worktree/in-the-way", `${folder} leads elsewhere through a symlink.`, {
      path: folder,
    });
  }
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Failure(
      "worktree/in-the-way",
      `${folder} cannot be made (${code}).`,
      { path: folder },
      { cause },
    );
  }
  const top = repository.mainTopLevel;
  const isInside = top !== undefined && `${folder}${sep}`.startsWith(`${top}${sep}`);
  if (isInside && hasNothingOfAnybody(folder)) files.replace(join(folder, IGNORE_FILE), "*\n");
}

const IGNORE_FILE = ".gitignore";

/** Only such a folder may ignore everything in it. What a crash left of our own first write does not count. */
function hasNothingOfAnybody(folder: string): boolean {
  const names = readdirSync(folder);
  const isUnwritten = (statSync(join(folder, IGNORE_FILE), { throwIfNoEntry: false })?.size ?? 0) === 0;
  return isUnwritten && names.every((name) => name === IGNORE_FILE || /^\.{2}gitignore\..*\.tmp$/.test(name));
}

function occupantOf(path: string): ReturnType<Worktrees["occupantOf"]> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return "nothing";
  return stats.isDirectory() && readdirSync(path).length === 0 ? "empty-folder" : "something";
}

/** The git directories of submodules lie in the worktree's entry and go with it, also when their files are gone. */
function fileListOf({ path, id }: Worktree, commonDir: string): FileList {
  const { repositories, folders } = listFiles(path);
  const entry = entryPath(commonDir, id);
  const modules = entry === undefined ? undefined : join(entry, "modules");
  const hasModules = modules !== undefined && existsSync(modules) && readdirSync(modules).length > 0;
  return { folders, repositories: hasModules ? [...repositories, modules] : repositories };
}

/** Where git keeps what it knows of a linked worktree; undefined for the main one. */
function entryPath(commonDir: string, id: string): string | undefined {
  const name = entryName(id);
  return name === undefined ? undefined : join(commonDir, "worktrees", name);
}
