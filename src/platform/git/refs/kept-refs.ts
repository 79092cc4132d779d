import { TRAILER_FAMILIES } from "../../../domain/index.ts";
import type { RunGit } from "../process/run-git.ts";
import { readMessage } from "../snapshots/snapshot-message.ts";
import { stepTrailerReader } from "../trailers/step-trailers.ts";
import type { Branches, KeptRef } from "../../ports/index.ts";

const PREFIX = "refs/pawl/";

export async function countKept(run: RunGit): ReturnType<Branches["keptRefs"]> {
  const answer = await run({
    args: ["for-each-ref", "--format=%(refname:lstrip=2)", "refs/pawl"],
    access: "read",
  });
  const counts: Record<string, number> = {};
  for (const name of answer.split("\n").filter((line) => line !== "")) {
    const kind = name.replace(/\/.*/, "");
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  if (Object.keys(counts).length === 0) return { counts, bytes: 0 };
  const others = ["--not", "--branches", "--tags", "--remotes"];
  const bytes = await run({
    args: ["rev-list", "--objects", "--disk-usage", "--glob=refs/pawl", ...others],
    access: "read",
  });
  return { counts, bytes: Number(bytes) };
}

/** The ref that keeps a commit already: one commit under three names would be three things to decide about. */
export async function refHolding(run: RunGit, commit: string): Promise<string | undefined> {
  const answer = await run({
    args: [
      "for-each-ref",
      "--count=1",
      "--format=%(refname)",
      `--points-at=${commit}`,
      `${PREFIX}rescue`,
      `${PREFIX}late`,
    ],
    access: "read",
  });
  return answer.trim() || undefined;
}

/** Everything that is kept, with what its commit says about whose it is. */
export async function listKept(run: RunGit): Promise<readonly KeptRef[]> {
  const format = "--format=%(objectname)%00%(refname)%00%(creatordate:unix)%00%(contents)%00";
  const readSteps = stepTrailerReader(TRAILER_FAMILIES);
  const parts = (await run({ args: ["for-each-ref", format, PREFIX], access: "read" })).split("\0");
  const kept: KeptRef[] = [];
  for (let at = 0; at + 3 < parts.length; at += 4) {
    const [commit = "", ref = "", seconds = "", message = ""] = parts.slice(at, at + 4);
    const [kind = "", name = ""] = ref.slice(PREFIX.length).split("/");
    kept.push({
      ref,
      commit: commit.trim(),
      madeAtMs: Number(seconds) * 1000,
      plan: readSteps(message)?.plan,
      // The folder of a snapshot is its worktree's id; the message has the branch itself.
      branch: kind === "rescue" ? name : readMessage(message)?.branch,
    });
  }
  return kept;
}

/** Removes a ref that still holds what it did; false when it does not, or is gone. */
export async function dropKept(run: RunGit, { ref, commit }: KeptRef): Promise<boolean> {
  const held = async () =>
    (await run({ args: ["for-each-ref", "--format=%(objectname)", ref], access: "read" })).trim();
  if (!ref.startsWith(PREFIX) || (await held()) !== commit) return false;
  await run({ args: ["update-ref", "--no-deref", "-d", ref, commit], access: "keep" });
  return true;
}

/** Whether a branch, a tag or a remote branch, other than the named branch, keeps a commit from being collected. */
export async function isHeldByRef(run: RunGit, commit: string, except?: string): Promise<boolean> {
  const answer = await run({
    args: [
      "for-each-ref",
      "--count=2",
      "--format=%(refname)",
      `--contains=${commit}`,
      "refs/heads",
      "refs/tags",
      "refs/remotes",
    ],
    access: "read",
  });
  return answer.split("\n").some((ref) => ref !== "" && ref !== `refs/heads/${except}`);
}
