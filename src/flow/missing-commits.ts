import { shellWord } from "../domain/shell-word.ts";
import type { Ports } from "../ports/index.ts";
import { listNeededCommits } from "../store/statements/list-needed-commits.ts";

/** Work that a step builds on and that was done on another machine. */
export interface MissingCommit {
  readonly anchor: string;
  readonly commit: string;
  /** The command that brings it here; null when its owner has not pushed it yet. */
  readonly fetch: string | null;
}

/** What must be fetched before work on a step can begin. Only asked where other machines share the state. */
export async function missingCommits(
  ports: Ports,
  plan: string,
  anchor: string,
): Promise<readonly MissingCommit[]> {
  if (!ports.storeIsShared) return [];
  const database = await ports.database();
  const needed = await database.read((sql) => sql.all(listNeededCommits, { plan_path: plan, anchor }));
  const missing = new Set(await ports.git.missingCommits(needed.map((row) => row.commit_hash)));
  return needed
    .filter((row) => missing.has(row.commit_hash))
    .map((row) => ({
      anchor: row.anchor,
      commit: row.commit_hash,
      fetch: fetchOf(row.commit_ref, ports.settings.remote),
    }));
}

/** The ref was written down on another machine, where the shared remote may go by another name. */
function fetchOf(ref: string | null, shared: string | undefined): string | null {
  if (ref === null) return null;
  const end = shared !== undefined && ref.startsWith(`${shared}/`) ? shared.length : ref.indexOf("/");
  return end < 0
    ? `git fetch ${shellWord(ref)}`
    : `git fetch ${shellWord(shared ?? ref.slice(0, end))} ${shellWord(ref.slice(end + 1))}`;
}
