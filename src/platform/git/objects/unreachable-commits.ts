import { Failure } from "../../../domain/index.ts";
import { looseAncestors } from "./loose-commit.ts";
import { nameCommits } from "../refs/name-commits.ts";
import type { RunGit } from "../process/run-git.ts";

/** Those of some commits that no ref leads to, by the names they were asked for: rewritten, abandoned, or never here. */
export async function unreachableCommits(
  run: RunGit,
  commonDir: string,
  asked: { readonly names: readonly string[]; readonly refs: readonly string[] },
): Promise<readonly string[]> {
  const { refs } = asked;
  const near = new Set(refs.flatMap((ref) => [...looseAncestors(commonDir, ref)]));
  const names = asked.names.filter((name) => !near.has(name));
  if (names.length === 0) return [];
  const quick = [...names, ...refs].every((name) => FULL_NAME.test(name))
    ? await listed(run, names, refs).catch(undefinedIfRefused)
    : undefined;
  if (quick) return names.filter((name) => quick.has(name));
  const [found, heads] = [await nameCommits(run, names), await nameCommits(run, refs)];
  const wanted = new Set(found.values());
  const lost = new Set<string>();
  if (wanted.size > 0) {
    const outside = await listed(run, wanted, new Set(heads.values()));
    for (const commit of wanted) if (outside.has(commit)) lost.add(commit);
  }
  return names.filter((name) => {
    const commit = found.get(name);
    return commit === undefined || lost.has(commit);
  });
}

const FULL_NAME = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Everything that leads back from some commits and not from the heads. Git refuses where one of them is not here. */
async function listed(
  run: RunGit,
  commits: Iterable<string>,
  heads: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const input = [...commits, ...[...heads].map((head) => `^${head}`)].join("\n");
  const answer = await run({ args: ["rev-list", "--stdin"], access: "read", input: `${input}\n` });
  return new Set(answer.split("\n"));
}

function undefinedIfRefused(error: unknown): undefined {
  if (error instanceof Failure && error.problem === "git/failed") return undefined;
  throw error;
}
