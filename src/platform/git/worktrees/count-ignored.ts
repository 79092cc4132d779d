import { recordsOf } from "../process/git-output.ts";
import type { RunGit } from "../process/run-git.ts";
import { LONG_CALL_MS } from "../process/long-call.ts";

/** Every file by itself: a folder of ten thousand counts as ten thousand. */
export async function countIgnored(run: RunGit, path: string): Promise<number> {
  const files = await recordsOf(run, {
    args: ["ls-files", "--others", "--ignored", "--exclude-standard", "-z"],
    access: "read",
    worktree: path,
    timeoutMs: LONG_CALL_MS,
  });
  return files.length;
}
