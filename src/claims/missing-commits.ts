import { shellWord } from "../domain/shell-word.ts";
import type { Ports } from "../platform/ports/index.ts";
import type { NeededCommit } from "./sql/list-needed-commits.ts";

/** Work that a step builds on and that was done on another machine. */
export interface MissingCommit {
  readonly anchor: string;
  readonly commit: string;
  /** The command that brings it here; null when its owner has not pushed it yet. */
  readonly fetch: string | null;
}

/** Those of the commits a step builds on that must be fetched before work on it can begin. */
export async function missingCommits(
  ports: Ports,
  needed: readonly NeededCommit[],
): Promise<readonly MissingCommit[]> {
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
