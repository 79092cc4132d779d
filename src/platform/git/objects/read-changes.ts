import type { CommitRange } from "../../ports/git.ts";
import { CHANGE_OPTIONS, changeDigest, type ChangeDigest } from "./change-digest.ts";
import { splitLines } from "../process/split-lines.ts";
import type { RunGit } from "../process/run-git.ts";

/** The names of what some stretches of history change, in the same order; all of them in one call of git. */
export async function changeDigests(
  run: RunGit,
  stretches: readonly CommitRange[],
): Promise<readonly string[]> {
  if (stretches.length === 0) return [];
  const found: { readonly commit: string; readonly digest: ChangeDigest }[] = [];
  const lines = splitLines((line) => {
    // No line of a patch is a bare name of an object.
    const name = line.length <= 65 ? /^([0-9a-f]{40}|[0-9a-f]{64})\n$/.exec(line.toString("latin1")) : null;
    if (name) found.push({ commit: name[1]!, digest: changeDigest() });
    else found.at(-1)?.digest.add(line);
  });
  await run({
    args: [
      "diff-tree",
      "--stdin",
      "--always",
      "--root",
      "-r",
      "--diff-merges=first-parent",
      ...CHANGE_OPTIONS,
    ],
    access: "read",
    input: stretches.map(({ commit, since }) => `${[commit, since].filter(Boolean).join(" ")}\n`).join(""),
    onOutput: lines.add,
  });
  // Git prints one for each line it was given.
  return stretches.map(({ commit }, index) => {
    const one = found[index];
    return one?.commit === commit ? one.digest.end() : "";
  });
}
