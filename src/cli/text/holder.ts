import { relative, sep } from "node:path";

/** A path as seen from a folder: short when it lies in it, else as it is. */
export function nearPath(path: string, cwd: string): string {
  if (path === cwd) return ".";
  return path.startsWith(`${cwd}${sep}`) ? relative(cwd, path) : path;
}

/** Who holds a step, for people: the worktree, and the machine where that is another one. */
export function holderText(path: string | null, otherHost: string | null, cwd: string): string {
  if (path === null) return "another worker";
  if (otherHost !== null) return `${path} on machine ${otherHost}`;
  return path === cwd ? "this worktree" : nearPath(path, cwd);
}
