import { orNothing } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { lastMerging } from "../sql/last-merging.ts";
import { journal, openIfThere, storedJson } from "../../journal/index.ts";
import { takeBackUnder } from "../../commits/index.ts";
import type { MergeVerification } from "./merge-verifier.ts";

/** What the journal says of a merge, before and after it. */
export interface MergeNote {
  readonly branch: string;
  readonly base: string;
  /** Where the base was before. */
  readonly from: string;
  readonly commit: string;
  readonly how: "merge" | "squash" | "fast-forward";
  readonly plan: string | null;
  /** How it was verified; lines of before merges were verified have none of these. */
  readonly verification?: MergeVerification["outcome"] | undefined;
  readonly because?: string | undefined;
  readonly check?: string | null | undefined;
  readonly tree?: string | undefined;
}

/** Before the base moves: a call that dies right after that still gets its line. */
export const noteMerging = (ports: Ports, note: MergeNote): Promise<void> =>
  write(ports, "worktree-merging", note);

export const noteMerged = (ports: Ports, note: MergeNote): Promise<void> =>
  write(ports, "worktree-merged", note);

async function write(ports: Ports, event: string, note: MergeNote): Promise<void> {
  const database = await openIfThere(ports).catch(orNothing);
  const { plan, ...detail } = note;
  await database?.write((sql) => journal(sql, { event, ...(plan === null ? {} : { plan }), detail }));
}

/**
 * Writes the line of a merge that was killed before it could, and answers which one it was.
 *
 * One that moved the base under a checkout, and died before it saw that, is taken back instead.
 */
export async function finishMerge(ports: Ports): Promise<MergeNote | undefined> {
  const database = await openIfThere(ports).catch(orNothing);
  const open = await database?.read((sql) => sql.get(lastMerging, {}));
  if (!open || open.event !== "worktree-merging") return undefined;
  const detail = storedJson<Omit<MergeNote, "plan"> | undefined>(open.detail, undefined);
  if (detail === undefined) return undefined;
  const note = { ...detail, plan: open.plan_path };
  const branches = await ports.branches();
  const ref = `refs/heads/${note.base}`;
  const found = await branches.commits([ref, note.commit]);
  const [tip, commit] = [found.get(ref), found.get(note.commit)];
  if (tip === undefined || commit === undefined) return undefined;
  if ((await branches.mergeBase(tip, commit)) !== commit) return undefined;
  if (tip === commit && (await takeBackUnder(ports, { branch: note.base, from: note.from, to: commit })))
    return undefined;
  await noteMerged(ports, note);
  return note;
}
