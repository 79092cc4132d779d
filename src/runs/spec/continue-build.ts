import { Failure } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { integrate, type Integration, tipOf } from "../../commits/index.ts";
import { mergeApproval } from "../verify/base-verifier.ts";
import type { FoundBuild } from "./find-build.ts";

/**
 * The worktree of another tool that one worker continues in, committing to its branch as that tool would.
 *
 * Undefined where there is none, or where several workers cannot share one.
 */
export function worktreeToContinue(build: FoundBuild | undefined, workers: number): string | undefined {
  if (build?.madeBy !== "another tool" || build.worktree === null || workers > 1) return undefined;
  return build.worktree;
}

/** Several workers start from where the other tool's branch is: it is brought to the plan's own branch first. */
export async function takeOver(
  ports: Ports,
  build: FoundBuild | undefined,
  integration: Integration,
): Promise<void> {
  if (build?.madeBy !== "another tool") return;
  if (build.uncommittedFiles.length > 0)
    throw new Failure(
      "run/build-uncommitted",
      `${build.worktree} holds ${build.uncommittedFiles.length} uncommitted files, which other workers would not see.`,
      { worktree_path: build.worktree, files: build.uncommittedFiles.slice(0, 50) },
    );
  const commit = await tipOf(await ports.branches(), build.branch);
  const landing = { plan: integration.plan, branch: integration.branch, commit, from: build.branch };
  await integrate(ports, landing, mergeApproval(ports));
}
