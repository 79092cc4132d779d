import { rmSync } from "node:fs";
import { join } from "node:path";
import { makeScratch, sweepScratch } from "../../index.ts";
import type { TreeFile } from "../../ports/index.ts";
import type { RunGit } from "../process/run-git.ts";
import { shown, toBytes } from "./byte-path.ts";
import { diffTrees, type FileChange } from "./diff-trees.ts";
import { readBlobs } from "./read-blobs.ts";

const PREFIX = "pawl-overlay-";

/** The files in which two trees differ, with their text where one is asked for. */
export async function changedFiles(
  run: RunGit,
  {
    from,
    to,
    reads,
  }: { readonly from: string; readonly to: string; readonly reads: (path: string) => boolean },
): Promise<readonly TreeFile[]> {
  const changes = await diffTrees(run, from, to);
  const read = changes.filter(({ path }) => reads(shown(path)));
  const texts = await textsOf(run, read);
  return changes.map(({ path, from: before, to: after }) => ({
    path: shown(path),
    isThereBefore: before !== undefined,
    isThereAfter: after !== undefined,
    before: before && texts.get(before.oid),
    after: after && texts.get(after.oid),
  }));
}

const isText = ({ mode }: { readonly mode: string }): boolean => mode.startsWith("100");

async function textsOf(run: RunGit, changes: readonly FileChange[]): Promise<ReadonlyMap<string, string>> {
  const names = [
    ...new Set(
      changes.flatMap(({ from, to }) => [from, to].flatMap((one) => (one && isText(one) ? [one.oid] : []))),
    ),
  ];
  const texts = new Map<string, string>();
  await readBlobs(run, names, (at) => {
    const chunks: Buffer[] = [];
    return {
      write: (chunk) => chunks.push(chunk),
      end: () => texts.set(names[at]!, Buffer.concat(chunks).toString("utf8")),
    };
  });
  return texts;
}

/** The tree `from`, with those files of `to` that are taken: also where they are gone there. No index of the user's is touched. */
export async function overlayTree(
  run: RunGit,
  commonDir: string,
  {
    from,
    to,
    takes,
  }: { readonly from: string; readonly to: string; readonly takes: (path: string) => boolean },
): Promise<string> {
  const taken = (await diffTrees(run, from, to)).filter(({ path }) => takes(shown(path)));
  sweepScratch(commonDir, PREFIX);
  const folder = makeScratch(commonDir, PREFIX);
  const indexFile = join(folder, "index");
  try {
    await run({ args: ["read-tree", from], access: "keep", indexFile });
    if (taken.length > 0)
      await run({
        args: ["update-index", "-z", "--index-info"],
        access: "keep",
        indexFile,
        input: Buffer.concat(taken.map(entryOf)),
      });
    return (await run({ args: ["write-tree"], access: "keep", indexFile })).trim();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As `git update-index --index-info` reads it; mode 0 removes. */
const entryOf = ({ path, from, to }: FileChange): Buffer =>
  Buffer.concat([
    Buffer.from(to === undefined ? `0 ${"0".repeat(from?.oid.length ?? 40)}\t` : `${to.mode} ${to.oid} 0\t`),
    toBytes(path),
    Buffer.from([0]),
  ]);
