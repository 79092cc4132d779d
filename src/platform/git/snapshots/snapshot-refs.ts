import { nodeCrypto } from "../../index.ts";
import { Failure, toInstant } from "../../../domain/index.ts";
import type { Snapshot } from "../../ports/index.ts";
import type { RunGit } from "../process/run-git.ts";
import { readMessage } from "./snapshot-message.ts";

const PREFIX = "refs/pawl/snapshots/";

/** Sorted by name is sorted by time, within a worktree. */
export function snapshotRef(worktreeId: string, takenAtMs: number): string {
  const time = toInstant(takenAtMs).replace(/[-:.]/g, "");
  return `${PREFIX}${refPart(worktreeId)}/${time}-${nodeCrypto().randomBytes(3).toString("hex")}`;
}

/** Names of refs allow less than names of folders do. */
const refPart = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^-+|(?<!-)-+$/g, "")
    .slice(0, 100) || "x";

/** Removes a ref, if it still holds what we think it does. */
export async function dropRef(run: RunGit, ref: string, commit: string): Promise<void> {
  if (!ref.startsWith(PREFIX)) throw new Failure("internal/bug", `${ref} is no snapshot.`, { ref });
  await run({ args: ["update-ref", "--no-deref", "-d", ref, commit], access: "keep" });
}

export async function readSnapshots(run: RunGit): Promise<readonly Snapshot[]> {
  const args = ["for-each-ref", "--format=%(objectname)%00%(refname)%00%(contents)%00", PREFIX];
  const parts = (await run({ args, access: "read" })).split("\0");
  const snapshots: Snapshot[] = [];
  for (let at = 0; at + 2 < parts.length; at += 3) {
    const told = readMessage(parts[at + 2]!);
    if (told === undefined) continue;
    const { indexWrittenAtUs: _, ...rest } = told;
    snapshots.push({ ...rest, ref: parts[at + 1]!, commit: parts[at]!.trim() });
  }
  return snapshots.toSorted((a, b) => (a.takenAt < b.takenAt ? -1 : a.takenAt > b.takenAt ? 1 : 0));
}

const MAX_SHOWN = 10;

export function chooseSnapshot(snapshots: readonly Snapshot[], name: string): Snapshot {
  const exact = snapshots.find(({ ref, commit }) => ref === name || commit === name);
  if (exact) return exact;
  const isHash = /^[0-9a-f]{4,64}$/.test(name);
  const found = snapshots.filter(
    ({ ref, commit }) => name !== "" && (ref.endsWith(name) || (isHash && commit.startsWith(name))),
  );
  if (found.length === 1) return found[0]!;
  if (found.length === 0)
    throw new Failure("snapshot/not-found", `There is no snapshot ${name}.`, { snapshot: name });
  throw new Failure("snapshot/ambiguous", `${name} could be any of ${found.length} snapshots.`, {
    snapshot: name,
    candidates: found.slice(0, MAX_SHOWN).map(({ ref }) => ref),
  });
}
