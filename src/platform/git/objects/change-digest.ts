import type { Hash } from "node:crypto";
import { nodeCrypto } from "../../node-crypto.ts";
import { splitLines } from "../process/split-lines.ts";

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
  const lines = splitLines((line) => addLine(hash, line));
  return {
    add: lines.add,
    end() {
      lines.end();
      return hash.digest("hex");
    },
  };
}

/** Lines of content begin with a sign, so these are never content: names of whole files, and where in a file it is. */
function addLine(hash: Hash, line: Buffer): void {
  const start = line.toString("latin1", 0, 6);
  if (start === "index ") return;
  hash.update(start.startsWith("@@ ") ? "@@\n" : line);
}
