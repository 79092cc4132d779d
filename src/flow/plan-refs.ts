import type { Ports } from "../ports/index.ts";

/** The plan's own branches, the base they go to, and whatever is checked out where the call was made. */
export function planRefs(ports: Ports, key: string): readonly string[] {
  const slug = (key.split("/").at(-1) ?? key).replace(/\.[^.]*$/, "");
  const workers = Array.from({ length: 15 }, (_, index) => `refs/heads/pawl/${slug}-w${index + 2}`);
  const remote = ports.settings.remote ?? "origin";
  return [...checkedOut(ports), `refs/remotes/${remote}/HEAD`, `refs/heads/pawl/${slug}`, ...workers];
}

/** A linked worktree's HEAD is its own. One that git cannot place (moved, not repaired) has none to read. */
function checkedOut({ repository }: Ports): readonly string[] {
  try {
    const id = repository.topLevel === undefined ? "main" : repository.worktree(repository.topLevel).id;
    return ["HEAD", ...headOf(id)];
  } catch {
    return ["HEAD"];
  }
}

/** What a worktree has checked out, by its id; `HEAD` itself is the main one's. On a server ids begin with the clone's. */
export function headOf(worktreeId: string): readonly string[] {
  const isMain = /(?:^|\/)main$/.test(worktreeId) && !/(?:^|\/)worktrees\/main$/.test(worktreeId);
  return isMain ? ["HEAD"] : [`worktrees/${worktreeId.replace(/^.*\//, "")}/HEAD`];
}
