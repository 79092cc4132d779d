import { statSync } from "node:fs";
import { join } from "node:path";
import type { GitDirectory } from "../git-directory.ts";
import { textOf } from "../text-of.ts";
import { checkedOutRef } from "./sync-refs.ts";

const HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const MOST_PACKED_BYTES = 1 << 20;

/**
 * The commit that is checked out, read as git keeps it in files; undefined where only git can tell.
 *
 * Starting git to ask costs as much as the rest of the look. Git looks for a file of the ref first and then into the list
 * of packed ones, in this order, so a ref that is being packed is found in one of them. Everything else (no commit
 * yet, refs in tables, a ref that names another one) is left to git.
 */
export function checkedOutCommit(git: GitDirectory): string | undefined {
  const ref = checkedOutRef(git);
  if (ref === undefined) return hashIn(join(git.gitDir, "HEAD"));
  // Others may be the worktree's own, and lie elsewhere.
  if (!ref.startsWith("refs/heads/") || ref.split("/").includes("..")) return undefined;
  return hashIn(join(git.commonDir, ref)) ?? packed(join(git.commonDir, "packed-refs"), ref);
}

const hashIn = (path: string): string | undefined => {
  const text = textOf(path)?.trimEnd();
  return text !== undefined && HASH.test(text) ? text : undefined;
};

function packed(path: string, ref: string): string | undefined {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? Infinity) > MOST_PACKED_BYTES) return undefined;
  const line = textOf(path)
    ?.split("\n")
    .find((one) => one.endsWith(` ${ref}`));
  const hash = line?.slice(0, -ref.length - 1);
  return hash !== undefined && HASH.test(hash) ? hash : undefined;
}
