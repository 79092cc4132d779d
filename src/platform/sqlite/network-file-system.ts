import { readFileSync, statfsSync, statSync } from "node:fs";

/** The name of the network file system that a folder is on; undefined for a local one, and where that is unknown. */
export function networkFileSystem(
  folder: string,
  statfs: (path: string) => { readonly type: number } = statfsSync,
): string | undefined {
  const { type } = statfs(folder);
  const known = BY_NUMBER.get(type);
  if (known !== undefined) return known;
  // Everything that a program of the user's mounts has one number; its name says which program.
  if (process.platform === "linux" && type === FUSE)
    return nameIn(linuxMounts(textOf("/proc/self/mountinfo")), folder);
  if (process.platform === "darwin" && !isOnSystemDisk(folder))
    return nameIn(macMounts(listMounts()), folder);
  return undefined;
}

/** As Linux numbers them. */
const BY_NUMBER: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB2"],
  [0x517b, "SMB"],
  [0x5346414f, "AFS"],
  [0x00c36400, "Ceph"],
  [0x47504653, "GPFS"],
  // Also the disks of Windows in WSL 2, such as /mnt/c.
  [0x01021997, "9P"],
  [0x0bd00bd0, "Lustre"],
  [0x73757245, "Coda"],
]);

const FUSE = 0x65735546;

/** As mounts are called, with or without `fuse.` before it. Others, such as ntfs-3g, mergerfs or gocryptfs, are local. */
const BY_NAME =
  /^(?:(?:fuse|osxfuse|macfuse)\.)?(nfs4?|cifs|smb3?|smbfs|afpfs|webdav|ftp|sshfs|s3fs|s3ql|rclone|glusterfs|ceph(?:-fuse)?|davfs2?|gvfsd-fuse|curlftpfs|goofys|gcsfuse|blobfuse2?|juicefs|seaweedfs|beegfs|osxfuse|macfuse)$/i;

export interface Mount {
  readonly path: string;
  readonly type: string;
  /** What is mounted, as it was named. */
  readonly source: string;
}

/** By the innermost mount that the folder is below. */
export function nameIn(mounts: readonly Mount[], folder: string): string | undefined {
  const above = mounts.filter(({ path }) => path === "/" || folder === path || folder.startsWith(`${path}/`));
  const found = above.toSorted((a, b) => a.path.length - b.path.length).at(-1);
  if (found === undefined) return undefined;
  const name = BY_NAME.exec(found.type)?.[1];
  // Without a name of its own, `user@host:/path` is how such mounts differ from those of a disk.
  return name ?? (found.type.startsWith("fuse") && /^[^/\s]+:/.test(found.source) ? found.type : undefined);
}

/** `36 35 98:0 / /mnt/far rw shared:1 - fuse.sshfs me@far:/ rw` */
export const linuxMounts = (text: string): readonly Mount[] =>
  text.split("\n").flatMap((line) => {
    const [before = "", after = ""] = line.split(" - ");
    const path = before.split(" ")[4];
    const [type, source = ""] = after.split(" ");
    return path === undefined || type === undefined || type === ""
      ? []
      : [{ path: unescaped(path), type, source: unescaped(source) }];
  });

const unescaped = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 8)));

/** `//me@far/share on /Volumes/share (smbfs, nodev, nosuid, mounted by me)` */
export const macMounts = (text: string): readonly Mount[] =>
  text.split("\n").flatMap((line) => {
    const [, source, path, type] = /^(.*) on (\/.*) \(([^,)]+)[^)]*\)$/.exec(line) ?? [];
    return path === undefined ? [] : [{ path, type: type!, source: source! }];
  });

/** Asking for the mounts starts a program; what lies where temporary files do needs no asking. */
const isOnSystemDisk = (folder: string): boolean =>
  statSync(folder).dev === statSync(process.env["TMPDIR"] ?? "/tmp", { throwIfNoEntry: false })?.dev;

function listMounts(): string {
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  return spawnSync("/sbin/mount", { encoding: "utf8", timeout: 5000 }).stdout ?? "";
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
