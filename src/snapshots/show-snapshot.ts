import type { Ports, Snapshot, SnapshotChange } from "../platform/ports/index.ts";

export interface SnapshotView {
  readonly snapshot: Snapshot;
  readonly changes: readonly SnapshotChange[];
}

/** The snapshots of this repository, oldest first; of one worktree, if one is given. */
export async function listSnapshots(
  ports: Ports,
  request: { readonly worktree?: string | undefined },
): Promise<readonly Snapshot[]> {
  const all = await (await ports.snapshots()).list();
  if (request.worktree === undefined) return all;
  // By path too: a worktree that was removed has no id any more.
  const path = knownPath(ports, request.worktree);
  return all.filter(({ worktree, worktreeId }) => worktree === path || worktreeId === request.worktree);
}

function knownPath(ports: Ports, worktree: string): string {
  try {
    return ports.repository.worktree(worktree).path;
  } catch {
    return worktree;
  }
}

/** One snapshot, and how its files differ from what was committed. */
export async function showSnapshot(ports: Ports, request: { readonly name: string }): Promise<SnapshotView> {
  const snapshots = await ports.snapshots();
  const snapshot = await snapshots.find(request.name);
  return { snapshot, changes: await snapshots.changes(snapshot) };
}
