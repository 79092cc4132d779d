import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile, setAside } from "./restore-objects.ts";
import { entriesIn } from "../worktrees/worktree-entry.ts";

const LINE = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) /;

const logOf = (commonDir: string, branch: string): string => join(commonDir, "logs/refs/heads", branch);

/** The commits that a branch was at, by its log, the last one first. */
export function loggedCommits(commonDir: string, branch: string): readonly string[] {
  const commits = linesOf(logOf(commonDir, branch)).flatMap((line) => {
    const [, before, after] = LINE.exec(line) ?? [];
    return before === undefined ? [] : [before, after!];
  });
  return commits.toReversed().filter((commit) => !/^0+$/.test(commit));
}

/** Every log in which a branch's commits can stand: its own, and those of the worktrees. */
export const logsAround = (commonDir: string, branch: string): readonly string[] =>
  [
    logOf(commonDir, branch),
    join(commonDir, "logs/HEAD"),
    ...entriesIn(commonDir).map((entry) => join(entry, "logs/HEAD")),
  ].filter((path) => existsSync(path));

/** The commits that a log names. */
export const namedIn = (path: string): readonly string[] =>
  linesOf(path).flatMap((line) => LINE.exec(line)?.slice(1, 3) ?? []);

/** Takes lines out of a log that name what is not there: because of one, `git fsck` and `git gc` fail. A copy is kept. */
export function dropLines(commonDir: string, path: string, isGone: (commit: string) => boolean): void {
  const lines = linesOf(path);
  const kept = lines.filter((line) => {
    const [, before, after] = LINE.exec(line) ?? [];
    return before !== undefined && !isGone(before) && !isGone(after!);
  });
  if (kept.length === lines.length) return;
  setAside(commonDir, path, "copy");
  replaceFile(commonDir, path, kept.map((line) => `${line}\n`).join(""));
}

const linesOf = (path: string): readonly string[] =>
  existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line !== "")
    : [];
