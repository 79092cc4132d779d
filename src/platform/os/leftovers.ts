import { lstatSync, readdirSync, rmSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { LeftFolder, Leftovers } from "../ports/index.ts";
import { leftScratch } from "../index.ts";

interface Places {
  readonly stateDir: string;
  readonly commonDir: string;
}

/** Names of working folders, by where they lie. */
const SCRATCH = { inState: "snapshot-", inGit: "pawl-index-" } as const;

/** Where `platform/git` moves what a power cut or a killed git left, and how it names locks. */
const ASIDE = ["pawl-damaged", "pawl-half-made"] as const;
const LEFT_LOCK = /\.lock\.left(?:-\d+)?$/;

export function leftoversOf({ stateDir, commonDir }: Places): Leftovers {
  const logFolder = join(stateDir, "logs");
  const logs = () => foldersIn(logFolder).map((name) => measured(logFolder, name));
  const entries = join(commonDir, "worktrees");
  const gitDirs = () => [commonDir, ...foldersIn(entries).map((name) => join(entries, name))];
  const scratch = () => [
    ...left(join(stateDir, "scratch"), SCRATCH.inState),
    ...gitDirs().flatMap((folder) => left(folder, SCRATCH.inGit)),
  ];
  const aside = () => [
    ...ASIDE.filter((name) => isFolder(join(commonDir, name))).map((name) =>
      measured(commonDir, name, whenMoved),
    ),
    ...gitDirs().flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => LEFT_LOCK.test(name))
        .map((name) => measured(folder, name, whenMoved)),
    ),
  ];
  return {
    logs,
    scratch,
    aside,
    remove({ path }) {
      if (![...logs(), ...scratch(), ...aside()].some((known) => known.path === path)) return false;
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

type TimeOf = (stats: Stats) => number;

const whenWritten: TimeOf = ({ mtimeMs }) => mtimeMs;
/** A file that was moved is as old as it was. */
const whenMoved: TimeOf = ({ mtimeMs, ctimeMs }) => Math.max(mtimeMs, ctimeMs);

/** Links are counted, not followed. What goes meanwhile counts as nothing. */
function measured(folder: string, name: string, timeOf = whenWritten): LeftFolder {
  const path = join(folder, name);
  const own = lstatSync(path, { throwIfNoEntry: false });
  let bytes = own?.isFile() ? own.size : 0;
  let writtenAtMs = own ? timeOf(own) : 0;
  for (const entry of own?.isDirectory() ? readdirSync(path, { recursive: true, withFileTypes: true }) : []) {
    const stats = lstatSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false });
    if (!stats || stats.isDirectory()) continue;
    bytes += stats.size;
    writtenAtMs = Math.max(writtenAtMs, timeOf(stats));
  }
  return { path, name, bytes, writtenAtMs };
}
