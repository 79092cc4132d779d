import type { Stretch } from "../ports/git.ts";
import { CHANGE_OPTIONS, changeDigest, type ChangeDigest } from "./change-digest.ts";
import type { RunGit } from "./run-git.ts";

/** The names of what some stretches of history change, in the same order; all of them in one call of git. */
export async function changesOf(run: RunGit, stretches: readonly Stretch[]): Promise<readonly string[]> {
  if (stretches.length === 0) return [];
  const found: { readonly commit: string; readonly digest: ChangeDigest }[] = [];
  let rest: Buffer = Buffer.alloc(0);
  const onOutput = (chunk: Buffer): void => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      const line = bytes.subarray(start, end + 1);
      // No line of a patch is a bare name of an object.
      const name = line.length <= 65 ? /^([0-9a-f]{40}|[0-9a-f]{64})\n$/.exec(line.toString("latin1")) : null;
      if (name) found.push({ commit: name[1]!, digest: changeDigest() });
      else found.at(-1)?.digest.add(line);
      start = end + 1;
    }
    rest = bytes.subarray(start);
  };
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
    onOutput,
  });
  // Git prints one for each line it was given.
  return stretches.map(({ commit }, index) => {
    const one = found[index];
    return one?.commit === commit ? one.digest.end() : "";
  });
}
