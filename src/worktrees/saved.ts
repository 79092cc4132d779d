import { journal, listWorktreeEvents, openIfThere, storedJson } from "../journal/index.ts";
import type { Ports } from "../platform/ports/index.ts";

/** Something that was kept before it went, and the command that brings it back. */
export interface Saved {
  readonly kind: "snapshot" | "rescue" | "folder";
  /** For a folder its path. */
  readonly ref: string;
  readonly what: string;
  readonly bringBack: string;
}

/** Before the worktree goes, so that a call that dies in between still says afterwards where everything is. */
export async function noteSaving(
  ports: Ports,
  event: "worktree-saved" | "worktree-removed",
  worktree: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  const database = await openIfThere(ports);
  await database?.write((sql) => journal(sql, { event, worktree, detail }));
}

/** What the journal tells of a worktree that is gone; undefined when it tells of none. */
export async function removedBefore(ports: Ports, path: string): Promise<EarlierRemoval | undefined> {
  const database = await openIfThere(ports);
  const rows = await database?.read((sql) =>
    sql.all(listWorktreeEvents, { worktree: path, most: MOST_EVENTS }),
  );
  const made = rows?.findIndex(({ event }) => event === "worktree-created") ?? -1;
  const since = made === -1 ? (rows ?? []) : rows!.slice(0, made);
  if (since.length === 0) return undefined;
  const details = since
    .filter(({ event }) => event === "worktree-saved")
    .map(({ detail }) => storedJson<SavedDetail>(detail, { saved: [] }));
  return {
    saved: details.flatMap(({ saved }) => saved),
    branchToGo: details.find(({ branchToGo }) => branchToGo)?.branchToGo ?? undefined,
  };
}

interface SavedDetail {
  readonly saved: readonly Saved[];
  readonly branchToGo?: string | null;
}

export interface EarlierRemoval {
  readonly saved: readonly Saved[];
  /** The branch that was to go with the worktree. */
  readonly branchToGo: string | undefined;
}

const MOST_EVENTS = 20;

/** What was kept of a worktree, as warnings say it. */
export const savedLines = (saved: readonly Saved[]): readonly string[] =>
  saved.map(({ what, bringBack }) => `${what} is kept; restore it with: ${bringBack}`);
