import { nameCommits } from "./name-commits.ts";
import type { RunGit } from "./run-git.ts";

/** Those of some commits that no ref leads to, by the names they were asked for: rewritten, abandoned, or never here. */
export async function unreachable(
  run: RunGit,
  names: readonly string[],
  refs: readonly string[],
): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const [found, heads] = [await nameCommits(run, names), await nameCommits(run, refs)];
  const wanted = new Set(found.values());
  const lost = new Set<string>();
  if (wanted.size > 0) {
    const input = [...wanted, ...[...new Set(heads.values())].map((head) => `^${head}`)].join("\n");
    const listed = await run({ args: ["rev-list", "--stdin"], access: "read", input: `${input}\n` });
    for (const line of listed.split("\n")) if (wanted.has(line)) lost.add(line);
  }
  return names.filter((name) => {
    const commit = found.get(name);
    return commit === undefined || lost.has(commit);
  });
}
