import * as fs from "node:fs";
import { basename, join } from "node:path";

const NAME = "pawl-mount";

/** The file systems that have a folder of their own under /sys/fs for each device, for as long as it is mounted. */
const KINDS = ["ext4", "xfs", "f2fs"] as const;

/**
 * Names the file system of a folder from the moment it was mounted until it is unmounted; undefined where that cannot be known.
 *
 * The kernel gives its folder under /sys/fs a number that it gives no other until the machine restarts. Numbers of mounts and
 * of devices are used again: the same disk, mounted a second time, has the same ones.
 */
export function mountOf(path: string, sys = "/sys"): string | undefined {
  try {
    const { dev } = fs.statSync(path, { bigint: true });
    const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
    const minor = (dev & 0xffn) | ((dev >> 12n) & ~0xffn);
    const device = basename(fs.readlinkSync(join(sys, "dev/block", `${major}:${minor}`)));
    const boot = fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    for (const kind of KINDS) {
      const folder = fs.statSync(join(sys, "fs", kind, device), { bigint: true, throwIfNoEntry: false });
      if (folder !== undefined && boot !== "") return `${boot} ${kind} ${device} ${folder.ino}`;
    }
  } catch {
    // Another system, a container without /sys, a file system without a device.
  }
  return undefined;
}

/** Notes in a worktree's git directory how its files are mounted. It need not survive a power cut: nothing then matches it. */
export function recordMount({ gitDir, path }: { readonly gitDir: string; readonly path: string }): void {
  const mount = mountOf(path);
  if (mount !== undefined) fs.writeFileSync(join(gitDir, NAME), `${mount}\n`);
}

/** Whether the files have been mounted without a break since that was noted; false where it cannot be known. */
export function isMountUnbroken({
  gitDir,
  path,
}: {
  readonly gitDir: string;
  readonly path: string;
}): boolean {
  const mount = mountOf(path);
  if (mount === undefined) return false;
  try {
    return fs.readFileSync(join(gitDir, NAME), "utf8") === `${mount}\n`;
  } catch {
    return false;
  }
}
