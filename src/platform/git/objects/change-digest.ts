import { splitByteLines } from "../process/git-output.ts";
import type { RunGit } from "../process/run-git.ts";
import { type Digest, nodeCrypto } from "../../index.ts";
import type { CommitRange } from "../../ports/index.ts";

/**
 * How git is to print a change so that the same change always reads the same, whatever the settings and attributes of
 * the reader are, and wherever in a file it stands.
 */
export const CHANGE_OPTIONS = [
  "--patch",
  "--text",
  "--unified=0",
  "--inter-hunk-context=0",
  "--full-index",
  "--no-renames",
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--no-indent-heuristic",
  "--diff-algorithm=myers",
  "--ignore-submodules=none",
  "--submodule=short",
  "--src-prefix=a/",
  "--dst-prefix=b/",
] as const;

/**
 * A name for what a commit changes: which lines of which files go and come, and nothing of what is around them.
 *
 * A rebase or a cherry-pick that goes through without a conflict keeps it; any other content gives another one.
 */
export interface ChangeDigest {
  /** Takes what git printed, in pieces of any length. */
  readonly add: (chunk: Buffer) => void;
  readonly end: () => string;
}

export function changeDigest(): ChangeDigest {
  const hash = nodeCrypto().createHash("sha256");
  const lines = splitByteLines((line) => addLine(hash, line));
  return {
    add: lines.add,
    end() {
      lines.end();
      return hash.digest("hex");
    },
  };
}

/** Lines of content begin with a sign, so these are never content: names of whole files, and where in a file it is. */
function addLine(hash: Digest, line: Buffer): void {
  const start = line.toString("latin1", 0, 6);
  if (start === "index ") return;
  hash.update(start.startsWith("@@ ") ? "@@\n" : line);
}

/** The names of what some stretches of history change, in the same order; all of them in one call of git. */
export async function changeDigests(
  run: RunGit,
  stretches: readonly CommitRange[],
): Promise<readonly string[]> {
  if (stretches.length === 0) return [];
  const found: { readonly commit: string; readonly digest: ChangeDigest }[] = [];
  const lines = splitByteLines((line) => {
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
