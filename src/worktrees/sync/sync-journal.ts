import { orNothing } from "../../domain/index.ts";
import { journal, openIfThere, storedJson } from "../../journal/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import type { MergeVerification } from "../merge/merge-verifier.ts";
import { lastSyncing } from "../sql/last-syncing.ts";

/** What the journal says of a base that comes into a plan's branch, before and after it. */
export interface SyncNote {
  readonly branch: string;
  readonly base: string;
  /** Where the plan's branch was before. */
  readonly from: string;
  readonly commit: string;
  readonly how: "merge" | "fast-forward";
  readonly plan: string | null;
  readonly verification: MergeVerification["outcome"];
  readonly because: string;
  readonly tree: string;
}

/** Before the branch moves: a call that dies right after that still gets its line. */
export const noteSyncing = (ports: Ports, note: SyncNote): Promise<void> =>
  write(ports, "branch-syncing", note);

export const noteSynced = (ports: Ports, note: SyncNote): Promise<void> =>
  write(ports, "branch-synced", note);

async function write(ports: Ports, event: string, note: SyncNote): Promise<void> {
  const database = await openIfThere(ports).catch(orNothing);
  const { plan, ...detail } = note;
  await database?.write((sql) => journal(sql, { event, ...(plan === null ? {} : { plan }), detail }));
}

/** Writes the line of a call that was killed after the branch had moved. */
export async function finishSync(
  ports: Ports,
  { branch, plan }: Pick<SyncNote, "branch" | "plan">,
): Promise<void> {
  const database = plan === null ? undefined : await openIfThere(ports).catch(orNothing);
  const open = await database?.read((sql) => sql.get(lastSyncing, { plan_path: plan! }));
  if (open?.event !== "branch-syncing") return;
  const detail = storedJson<Omit<SyncNote, "plan"> | undefined>(open.detail, undefined);
  if (detail?.branch !== branch) return;
  const branches = await ports.branches();
  const ref = `refs/heads/${branch}`;
  const found = await branches.commits([ref, detail.commit]);
  const [tip, commit] = [found.get(ref), found.get(detail.commit)];
  if (tip === undefined || commit === undefined) return;
  if ((await branches.mergeBase(tip, commit)) === commit) await noteSynced(ports, { ...detail, plan });
}
