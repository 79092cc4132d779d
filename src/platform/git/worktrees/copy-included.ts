import * as fs from "node:fs";
import { dirname, join, sep } from "node:path";
import type { IncludedFiles } from "../../ports/index.ts";
import type { RunGit } from "../process/run-git.ts";

const INCLUDE_FILE = ".worktreeinclude";

export interface CopySetting {
  readonly run: RunGit;
  /** Top level of the main checkout; there may be none. */
  readonly from: string | undefined;
  /** Top level of the new worktree, read only where there is something to copy. */
  readonly to: () => string;
  /** Where worktrees lie: their files are never copied. */
  readonly worktreeFolder: string;
}

/**
 * Copies what `.worktreeinclude` names from the main checkout: ignored files that work cannot do without, such as `.env`.
 *
 * Only ignored files, so nothing that git looks after gets there twice. No folder on the way may be a symlink, in the
 * checkout or in the worktree: a branch could hold one that leads to a home folder.
 */
export async function copyIncluded({ run, from, to, worktreeFolder }: CopySetting): Promise<IncludedFiles> {
  if (from === undefined || !fs.existsSync(join(from, INCLUDE_FILE))) return { copied: [], skipped: [] };
  const named = await run({
    args: ["ls-files", "-z", "--others", "--ignored", `--exclude-from=${INCLUDE_FILE}`],
    access: "read",
    worktree: from,
  });
  const candidates = named
    .split("\0")
    .filter((name) => name !== "" && !`${join(from, name)}${sep}`.startsWith(`${worktreeFolder}${sep}`));
  const top = to();
  const copied: string[] = [];
  const skipped: string[] = [];
  for (const name of await ignoredAmong(run, from, candidates)) {
    const problem = copyFile(from, top, name);
    if (problem === undefined) copied.push(name);
    else if (problem !== PRESENT) skipped.push(`${name}: ${problem}`);
  }
  return { copied, skipped };
}

export async function ignoredAmong(
  run: RunGit,
  worktree: string,
  names: readonly string[],
): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const answer = await run({
    args: ["check-ignore", "-z", "--stdin"],
    access: "read",
    worktree,
    input: names.map((name) => `${name}\0`).join(""),
    answers: [1],
  });
  return answer.split("\0").filter((name) => name !== "");
}

const PRESENT = "is there already";

/** Copies one file, or says why not. A half-written copy is never seen under the file's own name. */
function copyFile(from: string, to: string, name: string): string | undefined {
  const problem = folderProblem(from, name) ?? folderProblem(to, name);
  if (problem !== undefined) return problem;
  const target = join(to, name);
  if (fs.lstatSync(target, { throwIfNoEntry: false }) !== undefined) return PRESENT;
  let source: number;
  try {
    source = fs.openSync(
      join(from, name),
      fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK,
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ELOOP" ? "is a symlink" : `cannot be read (${code})`;
  }
  try {
    const stats = fs.fstatSync(source);
    if (!stats.isFile()) return "is no regular file";
    fs.mkdirSync(dirname(target), { recursive: true });
    const part = `${target}.pawl-part`;
    fs.rmSync(part, { force: true });
    writeAll(source, part, stats.mode & 0o777);
    fs.renameSync(part, target);
    return undefined;
  } finally {
    fs.closeSync(source);
  }
}

function writeAll(source: number, path: string, mode: number): void {
  const target = fs.openSync(path, "wx", mode);
  try {
    const buffer = Buffer.alloc(1 << 16);
    for (let bytes = fs.readSync(source, buffer); bytes > 0; bytes = fs.readSync(source, buffer)) {
      for (let written = 0; written < bytes;)
        written += fs.writeSync(target, buffer, written, bytes - written);
    }
  } finally {
    fs.closeSync(target);
  }
}

/** Each folder on the way must be one, not a symlink to one; in the worktree it may be missing. */
export function folderProblem(top: string, name: string): string | undefined {
  const parts = name.split("/");
  if (parts.some((part) => part === "" || part === "." || part === ".." || part.toLowerCase() === ".git"))
    return "is no path inside the checkout";
  for (let depth = 1; depth < parts.length; depth += 1) {
    const folder = parts.slice(0, depth).join("/");
    const stats = fs.lstatSync(join(top, folder), { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isDirectory()) return `${folder} is no folder but leads elsewhere`;
  }
  return undefined;
}
