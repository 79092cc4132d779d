import { join } from "node:path";
import type { GitDirectory } from "../repository/git-directory.ts";
import { commitIn, readRef } from "./read-ref.ts";
import { readText } from "../repository/read-text.ts";
import { checkedOutRef } from "./checked-out-ref.ts";

/**
 * The commit that is checked out, read as git keeps it in files; undefined where only git can tell.
 *
 * Starting git to ask costs as much as the rest of the look.
 */
export function checkedOutCommit(git: GitDirectory): string | undefined {
  const ref = checkedOutRef(git);
  if (ref === undefined) return commitIn(readText(join(git.gitDir, "HEAD")) ?? "");
  // Others may be the worktree's own, and lie elsewhere.
  return ref.startsWith("refs/heads/") ? readRef(git.commonDir, ref)?.commit : undefined;
}
