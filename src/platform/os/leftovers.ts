import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { LeftFolder, Leftovers } from "../ports/index.ts";
import { leftScratch } from "../index.ts";

interface Places {
  readonly stateDir: string;
  readonly commonDir: string;
}

/** Names of working folders, by where they lie. */
const SCRATCH = { inState: "snapshot-", inGit: "pawl-index-" } as const;

export function leftoversOf({ stateDir, commonDir }: Places): Leftovers {
  const logFolder = join(stateDir, "logs");
  const logs = () => foldersIn(logFolder).map((name) => measured(logFolder, name));
  const scratch = () => {
    const entries = join(commonDir, "worktrees");
    const gitDirs = [commonDir, ...foldersIn(entries).map((name) => join(entries, name))];
    return [
      ...left(join(stateDir, "scratch"), SCRATCH.inState),
      ...gitDirs.flatMap((folder) => left(folder, SCRATCH.inGit)),
    ];
  };
  return {
    logs,
    scratch,
    remove({ path }) {
      if (![...logs(), ...scratch()].some((known) => known.path === path)) return false;
      rmSync(path, { recursive: true, force: true });
      return true;
    },
  };
}

const left = (folder: string, prefix: string): readonly LeftFolder[] =>
  isFolder(folder) ? leftScratch(folder, prefix).map((name) => measured(folder, name)) : [];

const isFolder = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const foldersIn = (path: string): readonly string[] =>
  isFolder(path)
    ? readdirSync(path, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
    : [];

/** Links are counted, not followed. What goes meanwhile counts as nothing. */
function measured(folder: string, name: string): LeftFolder {
  const path = join(folder, name);
  let bytes = 0;
  let writtenAtMs = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    const stat = lstatSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false });
    if (!stat || stat.isDirectory()) continue;
    bytes += stat.size;
    writtenAtMs = Math.max(writtenAtMs, stat.mtimeMs);
  }
  return { path, name, bytes, writtenAtMs };
}
