import { beforeRestoring, isOfLosses, isOfWork, plural } from "../domain/index.ts";
import type { KnownTree, Ports, Worktree } from "../platform/ports/index.ts";
import { asEntered, lastSessionOfWorktree, listCheckpoints } from "../sessions/index.ts";
import type { CheckpointRow, SessionRow } from "../platform/index.ts";
import { journal, openIfThere } from "../journal/index.ts";
import { finishMove } from "../claims/index.ts";

/** How the last session in a worktree ended, where that may have cost files their content. */
export interface UncleanEnd {
  readonly session: SessionRow;
  readonly isReboot: boolean;
}

/** Null when the last session there ended in order and the machine has been up since: then the files are as it left them. */
export async function uncleanEndIn(ports: Ports, worktree: Worktree): Promise<UncleanEnd | null> {
  const database = await openIfThere(asEntered(ports));
  const last = await database?.read((sql) => sql.get(lastSessionOfWorktree, { worktree_id: worktree.id }));
  return last ? uncleanEnd(ports, last) : null;
}

export function uncleanEnd({ machine }: Ports, session: SessionRow): UncleanEnd | null {
  const isReboot = session.host_id === machine.hostId && session.boot_id !== machine.bootId;
  const isKilled = session.interruption_type === "process_kill";
  return isReboot || isKilled ? { session, isReboot } : null;
}

/**
 * Puts back files that are empty or cut short since a session ended out of order, before work starts there.
 *
 * A machine that loses power keeps names of files and loses their bytes. Taken for work, an empty file would be
 * committed over the work of a completed step. What an agent emptied itself stays empty where the disk is known to have been
 * mounted all the time since, and elsewhere what it emptied before its last checkpoint.
 */
export async function restoreCutShort(
  ports: Ports,
  worktree: Worktree,
  unclean: UncleanEnd | null,
): Promise<readonly string[]> {
  const { notes, isWhole } = unclean
    ? await restoreAfter(ports, worktree, unclean)
    : { notes: [], isWhole: true };
  // Noted any earlier, a kill in between would leave lost files that pass for emptied ones.
  if (isWhole) (await ports.snapshots()).recordMount(worktree);
  return notes;
}

interface Restored {
  readonly notes: readonly string[];
  /** Whether every file that lost content has it back. */
  readonly isWhole: boolean;
}

async function restoreAfter(
  ports: Ports,
  worktree: Worktree,
  { session, isReboot }: UncleanEnd,
): Promise<Restored> {
  const [commits, snapshots, database] = await Promise.all([
    ports.commits(),
    ports.snapshots(),
    ports.database(),
  ]);
  // Half of a move would pass for changed files.
  const unmoved = await finishMove(ports, worktree);
  const notes = unmoved === undefined ? [] : [unmoved.message];
  // Restored in the middle of a move, files would be those of before it.
  if (unmoved !== undefined && unmoved.problem !== "merge/taken-back") return { notes, isWhole: false };
  if (!isReboot && snapshots.isMountUnbroken(worktree)) return { notes, isWhole: true };
  const head = await commits.head(worktree);
  if (head === undefined) return { notes, isWhole: true };
  const checkpoints = await database.read((sql) => sql.all(listCheckpoints, { session_id: session.id }));
  const restored = await snapshots.restoreCutShort(worktree, {
    known: await knownTrees(ports, worktree, { head, last: checkpoints.at(-1), session: session.id }),
    evenShorter: isReboot,
    because: beforeRestoring(session.id),
  });
  if (restored === undefined || restored.files.length === 0) return { notes, isWhole: true };
  const { files, snapshot } = restored;
  await database.write((sql) =>
    journal(sql, {
      event: "files-restored",
      ...(session.plan_path === null ? {} : { plan: session.plan_path }),
      worktree: worktree.path,
      session: session.id,
      detail: { files: files.slice(0, MOST_NAMED), count: files.length, snapshot: snapshot?.ref ?? null },
    }),
  );
  const named = files.slice(0, 5).join(", ") + (files.length > 5 ? " …" : "");
  const before = snapshot === undefined ? "" : `; as they were: pawl snapshot show ${snapshot.ref}`;
  const text = `${plural(files.length, "file")} in ${worktree.path} lost content when session ${session.id} was cut off and got it back: ${named}${before}`;
  return { notes: [...notes, text], isWhole: true };
}

const MOST_NAMED = 500;

/** What the files held, the newest first. A state counts only where the same commit is checked out as then. */
async function knownTrees(
  ports: Ports,
  worktree: Worktree,
  {
    head,
    last,
    session,
  }: { readonly head: string; readonly last: CheckpointRow | undefined; readonly session: string },
): Promise<readonly KnownTree[]> {
  const tree = last?.head_before === head ? (last.tree_after ?? last.tree_before) : null;
  const snapshots = (await (await ports.snapshots()).list()).filter(
    (one) => one.worktreeId === worktree.id && one.head === head && !isOfLosses(one.because),
  );
  const newest = snapshots.at(-1);
  const known = [
    ...(tree === null ? [] : [{ tree, isSnapshot: false, at: last!.ended_at ?? last!.started_at }]),
    ...(newest === undefined
      ? []
      : [
          {
            tree: newest.commit,
            isSnapshot: true,
            mayHoldLosses: !isOfWork(newest.because, session),
            at: newest.takenAt,
          },
        ]),
  ].toSorted((a, b) => (a.at < b.at ? 1 : -1));
  return [...known, { tree: head, isSnapshot: false }];
}
