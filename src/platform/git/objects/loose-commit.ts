import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inflateSync } from "node:zlib";

/** What a commit says, and of where it comes from. */
export interface LooseCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  /** Undefined where it is not in UTF-8. */
  readonly message: string | undefined;
  readonly isSigned: boolean;
}

/** More than any message that people write; what says more is for git to read. */
const MOST_BYTES = 1 << 20;

const HEADERS = /^commit \d+\0tree ([0-9a-f]+)\n((?:parent [0-9a-f]+\n)*)author /;

/**
 * A commit that lies in a file of its own, as the newest do; undefined where it is packed, damaged or gone.
 *
 * Starting git to ask takes longer than reading one small file.
 */
export function looseCommit(commonDir: string, id: string): LooseCommit | undefined {
  try {
    const bytes = readFileSync(join(commonDir, "objects", id.slice(0, 2), id.slice(2)));
    const content = inflateSync(bytes, { maxOutputLength: MOST_BYTES });
    const end = content.indexOf("\n\n");
    const headers = content.toString("latin1", 0, end);
    const [, tree, parents] = HEADERS.exec(headers) ?? [];
    if (tree === undefined || parents === undefined) return undefined;
    return {
      tree,
      parents: parents.split("\n").flatMap((line) => line.slice("parent ".length) || []),
      message: headers.includes("\nencoding ") ? undefined : utf8Of(content.subarray(end + 2)),
      isSigned: /\ngpgsig(?:-sha256)? /.test(headers),
    };
  } catch {
    return undefined;
  }
}

function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** As many files as are read in less time than git takes to start. */
const MOST_READ = 32;

/** A commit and those that it leads back to, the nearest ones; only such as are there in files of their own. */
export const looseAncestors = (commonDir: string, commit: string): ReadonlySet<string> =>
  walkBack(commonDir, commit).found;

function walkBack(
  commonDir: string,
  commit: string,
): { readonly found: ReadonlySet<string>; readonly named: ReadonlySet<string> } {
  const found = new Set<string>();
  const named = new Set([commit]);
  for (const id of named) {
    const read = found.size < MOST_READ ? looseCommit(commonDir, id) : undefined;
    if (read === undefined) continue;
    found.add(id);
    for (const parent of read.parents) named.add(parent);
  }
  return { found, named };
}

/**
 * Whether one commit leads back to another, as far as files prove it: false leaves the question to git.
 *
 * A parent may be packed: the commit that names it proves enough.
 */
export const isLooseAncestor = (commonDir: string, ancestor: string, commit: string): boolean =>
  walkBack(commonDir, commit).named.has(ancestor);

/** Where one of two commits leads back to the other, that one; undefined leaves the question to git. */
export function looseBase(commonDir: string, one: string, other: string): string | undefined {
  if (isLooseAncestor(commonDir, one, other)) return one;
  return isLooseAncestor(commonDir, other, one) ? other : undefined;
}
