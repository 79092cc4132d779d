import { Failure } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { joinCommit, type Join } from "./join-commit.ts";
import { type ApproveMerge, integrate } from "./land/integrate.ts";

/**
 * Joins a plan's branch with the base that it was squashed into, as a merge that changes nothing but history.
 *
 * Without it the two have the same work in different commits. The next merge of the branch would start from before the
 * squash and conflict with itself. Answers with a warning where it cannot be done now; the next run does it then.
 */
export async function joinSquash(
  ports: Ports,
  squashed: Join & { readonly plan: string },
  approve: ApproveMerge,
): Promise<readonly string[]> {
  const { plan, branch, base } = squashed;
  try {
    const commit = await joinCommit(await ports.branches(), squashed);
    await integrate(ports, { plan, branch, commit, from: base }, approve);
    return [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [`${branch} does not have the squash yet (${error.message}); the next run brings it there`];
  }
}
