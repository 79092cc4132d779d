import { realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { readCoreSettings } from "./git-config.ts";
import { pathFrom, openGitDirectory, readDotGit, type GitDirectory } from "./git-directory.ts";

/** What the walk from a folder to the root came upon. */
export type Discovery =
  | { readonly found: Discovered }
  | { readonly found: undefined; readonly problem: string };

export interface Discovered extends GitDirectory {
  /** The folder that holds the `.git`; undefined when the walk began inside a git directory. */
  readonly folder: string | undefined;
  /** `folder`, if git would work in it. */
  readonly worktree: string | undefined;
  /** What must belong to us before git trusts any of it. */
  readonly owned: readonly string[];
}

/**
 * Walks up from a canonical folder like git: in each folder a `.git` first, then the folder itself as a git directory.
 *
 * It stops where another file system begins, as git does, so that Pawl never works in a repository that git denies.
 */
export function discoverGit(start: string): Discovery {
  const device = statSync(start).dev;
  for (let folder = start; ; folder = dirname(folder)) {
    const path = join(folder, ".git");
    const dotGit = readDotGit(path);
    if (dotGit.kind === "broken") return { found: undefined, problem: `${dotGit.problem}.` };
    if (dotGit.kind !== "absent") {
      const { git } = dotGit;
      const owned = dotGit.kind === "file" ? [path, folder, git.gitDir] : [folder, path];
      return { found: { ...git, folder, worktree: worktreeAround(git, folder), owned } };
    }
    const git = openGitDirectory(folder);
    if (git) return { found: { ...git, folder: undefined, worktree: undefined, owned: [folder] } };
    if (dirname(folder) === folder) {
      return {
        found: undefined,
        problem: `There is no git repository at ${start} or in any folder above it.`,
      };
    }
    if (statSync(dirname(folder)).dev !== device) {
      return {
        found: undefined,
        problem: `There is no git repository at ${start} or above it up to the mount point ${folder}.`,
      };
    }
  }
}

/** The top level of the main worktree as far as the common directory tells it. */
export function mainWorktreeOf(commonDir: string): string | undefined {
  const git = { gitDir: commonDir, commonDir };
  const settings = readCoreSettings(git);
  if (settings.bare) return undefined;
  const folder =
    settings.worktree === undefined ? dirname(commonDir) : resolveSetting(commonDir, settings.worktree);
  if (folder === undefined) return undefined;
  const dotGit = readDotGit(join(folder, ".git"));
  const leadsBack =
    (dotGit.kind === "directory" || dotGit.kind === "file") && dotGit.git.gitDir === commonDir;
  return leadsBack ? folder : undefined;
}

function worktreeAround(git: GitDirectory, folder: string): string | undefined {
  const settings = readCoreSettings(git);
  if (settings.bare) return undefined;
  if (settings.worktree === undefined) return folder;
  return resolveSetting(git.gitDir, settings.worktree) === folder ? folder : undefined;
}

function resolveSetting(gitDir: string, worktree: string): string | undefined {
  try {
    return realpathSync.native(pathFrom(gitDir, worktree));
  } catch {
    return undefined;
  }
}
