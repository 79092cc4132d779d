import { bareAnchor, Failure } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { diagnose } from "./rules/index.ts";
import { observe } from "./observe/observe.ts";
import { type FindingView, findingView } from "./subject.ts";

/**
 * What the rules say about the steps of a plan, or about one: the same values that `recover` acts on. Git is not asked.
 *
 * Whoever only wants to know why a step is where it is must hear it even where the settings for runs are wrong.
 */
export async function findingsFor(
  ports: Ports,
  plan: string,
  step: string | undefined,
): Promise<readonly FindingView[]> {
  try {
    const seen = await observe(ports, { plan, commits: false, worktrees: false });
    return diagnose(seen.filter(({ kind }) => kind === "step" || kind === "full"))
      .map(findingView)
      .filter(({ anchor }) => step === undefined || anchor === bareAnchor(step));
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}
