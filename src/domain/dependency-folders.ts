/**
 * Folders in which package managers and compilers keep what a check needs and no commit holds.
 *
 * Where git ignores one of these in a worktree, a clean checkout would have to install or build everything again.
 */
export const DEPENDENCY_FOLDERS: ReadonlySet<string> = new Set([
  "node_modules",
  "bower_components",
  "jspm_packages",
  ".yarn",
  ".pnpm-store",
  ".venv",
  "venv",
  ".tox",
  ".nox",
  "__pypackages__",
  ".eggs",
  "target",
  "vendor",
  ".bundle",
  ".gradle",
  ".m2",
  "build",
  "_build",
  "deps",
  "Pods",
  "Carthage",
  ".build",
  ".dart_tool",
  ".stack-work",
  "dist-newstyle",
  "elm-stuff",
  "obj",
  ".terraform",
]);
