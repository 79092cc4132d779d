import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Beside, Worktree } from "../../ports/index.ts";
import { lazy } from "../../index.ts";
import { onDisk, shown } from "../files/byte-path.ts";
import { readIndex } from "../index-file/copy-index.ts";
import { hiddenIn } from "./add-all.ts";
import { gitRefusal } from "./git-refusal.ts";
import { gitDirectoryOf } from "../refs/checked-out-ref.ts";
import type { RunInWorktree } from "../process/run-in-worktree.ts";

/** More are not read one by one. */
const MOST_LOOKED_AT = 1000;

/** What a check in a worktree can see although no commit of it would hold it. */
export async function outsideTree(
  run: RunInWorktree,
  worktree: Worktree,
  { tree, sinceMs }: { readonly tree: string; readonly sinceMs: number },
): Promise<Beside> {
  const { stillHidden } = await hiddenIn(run, worktree);
  const index = readIndex(gitDirectoryOf(worktree.path).gitDir)?.bytes;
  const declared = declaredSubmodules(worktree);
  return {
    files: index === undefined || index.length < 12 ? 0 : index.readUInt32BE(8),
    ignored: lazy(async () =>
      (await ignoredIn(run, worktree)).map((path, at) => ({
        path,
        isNew: at < MOST_LOOKED_AT && isNewer(join(worktree.path, path), sinceMs),
      })),
    ),
    mayHoldFolder: (names) => mayHoldFolder(worktree.path, names),
    hidden: stillHidden
      .filter(({ path }) => isThere(onDisk(worktree.path, path)))
      .map(({ path }) => shown(path)),
    hasSubmodules: declared.size > 0,
    repositories: async () => (await linksIn(run, worktree, tree)).filter((path) => !declared.has(path)),
  };
}

/** More entries are left to git, which is faster then. */
const MOST_ENTRIES = 20_000;

/** Whether a folder of such a name lies there. True as well where that takes too long to find out. */
async function mayHoldFolder(top: string, names: ReadonlySet<string>): Promise<boolean> {
  const folders = [top];
  let seen = 0;
  for (const folder of folders) {
    // What cannot be read, or is gone by now, git is asked about.
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
    if (entries === undefined) return true;
    seen += entries.length;
    const inside = entries.filter((entry) => entry.isDirectory() && entry.name !== ".git");
    if (seen > MOST_ENTRIES || inside.some(({ name }) => names.has(name))) return true;
    folders.push(...inside.map(({ name }) => join(folder, name)));
  }
  return false;
}

/** Whole folders as one line that ends with a slash, as git has them. */
async function ignoredIn(run: RunInWorktree, worktree: Worktree): Promise<readonly string[]> {
  const args = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"];
  const answer = await run(worktree, { args, access: "read" });
  if (answer.code !== 0) throw gitRefusal("ls-files", answer);
  return answer.stdout
    .toString("utf8")
    .split("\0")
    .filter((path) => path !== "");
}

async function linksIn(run: RunInWorktree, worktree: Worktree, tree: string): Promise<readonly string[]> {
  const answer = await run(worktree, { args: ["ls-tree", "-r", "-z", tree], access: "read" });
  if (answer.code !== 0) throw gitRefusal("ls-tree", answer);
  return answer.stdout
    .toString("utf8")
    .split("\0")
    .filter((line) => line.startsWith("160000 "))
    .map((line) => line.slice(line.indexOf("\t") + 1));
}

function declaredSubmodules({ path }: Worktree): ReadonlySet<string> {
  try {
    const text = readFileSync(join(path, ".gitmodules"), "utf8");
    return new Set(
      [...text.matchAll(/^[ \t]*path[ \t]*=[ \t]*(\S.*)$/gm)].map(([, name]) => name!.trimEnd()),
    );
  } catch {
    return new Set();
  }
}

/** By the time of its last change, which no program can set; a folder also by what lies right in it. */
function isNewer(path: string, sinceMs: number): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  if (stat.ctimeMs >= sinceMs) return true;
  if (!stat.isDirectory()) return false;
  return namesIn(path)
    .slice(0, MOST_LOOKED_AT)
    .some((name) => (lstatSync(join(path, name), { throwIfNoEntry: false })?.ctimeMs ?? 0) >= sinceMs);
}

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

const isThere = (path: Buffer): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
