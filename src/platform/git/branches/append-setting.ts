import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { Locks } from "../../ports/index.ts";

export interface Setting {
  readonly section: string;
  readonly subsection: string;
  readonly name: string;
  readonly value: string;
}

/**
 * Adds a section to the repository's configuration as git would, without starting it: that takes as long as a fifth of
 * making a small worktree. False where the file leaves any doubt, and then nothing was changed: git is to do it.
 *
 * The new file is written whole under a name of ours, flushed, and only then becomes git's lock, as a second name of
 * the same file. So a lock that a killed call left can be distinguished from every other: the two names are one file. The
 * caller is the only Pawl that uses it, hence that lock has no owner and goes. Of any other lock git is left to wait.
 */
export function appendSetting(commonDir: string, setting: Setting): boolean {
  const config = join(commonDir, "config");
  const { lock, draft } = configLock(commonDir);
  try {
    dropOwnConfigLock(commonDir);
    const before = plainFile(config);
    if (before === undefined || !canFollow(before.bytes.toString("utf8"), setting)) return false;
    writeDraft(draft, [before.bytes, Buffer.from(sectionOf(setting))], before.mode);
    linkSync(draft, lock);
    return moveIn(lock, config, before.bytes);
  } catch {
    // Another process holds the lock, the disk is full, the file system knows no second names: git says what it is.
    return false;
  } finally {
    drop(draft);
  }
}

interface PlainFile {
  readonly bytes: Buffer;
  readonly mode: number;
}

/** Git follows a symlink, and keeps to the rights of another owner, in ways of its own. */
function plainFile(path: string): PlainFile | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.uid !== process.geteuid?.() || stat.size > MOST_BYTES) return undefined;
  return { bytes: readFileSync(path), mode: stat.mode & 0o7777 };
}

const MOST_BYTES = 1 << 20;

/** Whether a section can simply follow: the last line is over, and nothing is said of it yet, however it is written. */
const canFollow = (text: string, { subsection }: Setting): boolean =>
  /(?:^|[^\\\r]\r?\n)$/.test(text) && !text.toLowerCase().includes(subsection.toLowerCase());

const sectionOf = ({ section, subsection, name, value }: Setting): string =>
  `[${section} "${escaped(subsection)}"]\n\t${name} = "${escaped(value)}"\n`;

const escaped = (text: string): string => text.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n");

function writeDraft(path: string, parts: readonly Buffer[], mode: number): void {
  const bytes = Buffer.concat(parts);
  const fd = openSync(path, "wx", 0o600);
  try {
    fchmodSync(fd, mode);
    for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The lock is ours: a process that wrote the file since it was read did so before that, and its text stays. */
function moveIn(lock: string, config: string, expected: Buffer): boolean {
  try {
    if (plainFile(config)?.bytes.equals(expected) !== true) {
      unlinkSync(lock);
      return false;
    }
    renameSync(lock, config);
    return true;
  } catch (error) {
    drop(lock);
    throw error;
  }
}

function drop(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was never made.
  }
}

/** Where a new configuration is written whole, and git's lock that it becomes then, as a second name of the same file. */
const configLock = (commonDir: string): { readonly draft: string; readonly lock: string } => ({
  draft: join(commonDir, "config.pawl"),
  lock: join(commonDir, "config.lock"),
});

/**
 * Frees git's lock of the configuration when a killed Pawl left it; true when there was one.
 *
 * The caller holds the lock `worktrees`, under which alone Pawl writes the configuration itself: so no other process uses it.
 */
function dropOwnConfigLock(commonDir: string): boolean {
  const { draft, lock } = configLock(commonDir);
  const left = lstatSync(draft, { throwIfNoEntry: false, bigint: true });
  if (left === undefined) return false;
  const held = lstatSync(lock, { throwIfNoEntry: false, bigint: true });
  // Only while the two names are one file: another process's lock stays.
  const isOurs = held?.ino === left.ino && held.dev === left.dev;
  if (isOurs) unlinkSync(lock);
  // Never written to: it may be a second name of the configuration itself, when the call died after all was done.
  unlinkSync(draft);
  return isOurs;
}

/** The same for callers that hold nothing, before they have git write the configuration. */
export async function freeConfigLock(commonDir: string, locks: () => Promise<Locks>): Promise<boolean> {
  if (!existsSync(configLock(commonDir).draft)) return false;
  // A process that is just writing is waited for, and has removed the draft by then.
  return (await locks()).during("worktrees", async () => dropOwnConfigLock(commonDir));
}
