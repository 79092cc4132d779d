import { Failure } from "../../../domain/index.ts";
import type { Landing } from "../../ports/index.ts";
import { PAWL_IDENTITY } from "../process/pawl-identity.ts";
import type { RunGit } from "../process/run-git.ts";
import { mergeTrees } from "./preview-merge.ts";

/**
 * How the work of a branch got into its base, if it did.
 *
 * Asked from the cheap and certain to the costly: the branch is behind the base; each of its commits has a twin there
 * (rebased, cherry-picked); merging it would change nothing (squashed); all of it together has a twin there (squashed,
 * and the base went on in the same lines).
 */
export async function hasLanded(run: RunGit, base: string, branch: string): Promise<Landing | undefined> {
  if (await isAncestor(run, branch, base)) return "merged";
  if (await hasOnlyTwins(run, base, branch)) return "rebased";
  const merged = await mergeTrees(run, base, branch).catch(noneIfUnrelated);
  if (merged === undefined) return undefined;
  if (merged.isClean && merged.tree === (await treeOf(run, base))) return "squashed";
  return (await hasSquashedTwin(run, base, branch)) ? "squashed" : undefined;
}

function noneIfUnrelated(error: unknown): undefined {
  if (error instanceof Failure && error.problem === "merge/unrelated") return undefined;
  throw error;
}

export async function isAncestor(run: RunGit, older: string, newer: string): Promise<boolean> {
  let code = 0;
  await run({
    args: ["merge-base", "--is-ancestor", older, newer],
    access: "read",
    answers: [1],
    onExit: (exit) => (code = exit),
  });
  return code === 0;
}

export async function mergeBase(run: RunGit, one: string, other: string): Promise<string | undefined> {
  const answer = await run({ args: ["merge-base", one, other], access: "read", answers: [1] });
  return answer.trim() || undefined;
}

const treeOf = async (run: RunGit, commit: string): Promise<string> =>
  (await run({ args: ["rev-parse", `${commit}^{tree}`], access: "read" })).trim();

async function hasOnlyTwins(run: RunGit, base: string, branch: string): Promise<boolean> {
  const range = `${base}...${branch}`;
  const [all, unique] = await Promise.all([
    run({ args: ["rev-list", "--count", "--right-only", range], access: "read" }),
    run({ args: ["rev-list", "--count", "--right-only", "--cherry-pick", range], access: "read" }),
  ]);
  return Number(all) > 0 && Number(unique) === 0;
}

/** Makes the one commit that a squash would have made and looks for its twin; nothing refers to it afterwards. */
async function hasSquashedTwin(run: RunGit, base: string, branch: string): Promise<boolean> {
  const fork = await mergeBase(run, base, branch);
  if (fork === undefined) return false;
  const squash = await run({
    args: ["commit-tree", await treeOf(run, branch), "-p", fork, "-m", "squash"],
    access: "write",
    variables: { ...PAWL_IDENTITY, GIT_AUTHOR_DATE: "@0 +0000", GIT_COMMITTER_DATE: "@0 +0000" },
  });
  const answer = await run({ args: ["cherry", base, squash.trim()], access: "read" });
  return answer.startsWith("- ");
}
