import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { linuxMounts, macMounts, nameIn, networkFileSystem } from "./network-file-system.ts";

const LINUX = linuxMounts(`22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
40 22 0:40 / /mnt/far rw,nosuid - fuse.sshfs me@far:/srv rw
41 22 0:41 / /mnt/my\\040cloud rw - fuse.rclone cloud: rw
42 22 0:42 / /mnt/secret rw - fuse.gocryptfs /home/me/secret rw
43 22 0:43 / /mnt/own rw - fuse me@far:/home rw
44 22 8:2 / /mnt/far/disk rw - ext4 /dev/sdb1 rw
`);
const MAC = macMounts(`/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
//me@far._smb._tcp.local/share on /Volumes/share (smbfs, nodev, nosuid, mounted by me)
me@far:/srv on /Users/me/far (macfuse, nodev, nosuid, synchronous, mounted by me)
/dev/disk4 on /Volumes/Stick (1) (apfs, local)
`);

describe("a network file system is known by the name of its mount", () => {
  it.each([
    ["/mnt/far/repo/.git", "sshfs"],
    ["/mnt/my cloud/repo", "rclone"],
    ["/mnt/own/repo", "fuse"],
    ["/mnt/secret/repo", undefined],
    ["/mnt/far/disk/repo", undefined],
    ["/mnt/far-away/repo", undefined],
    ["/home/me/repo", undefined],
  ])("on Linux: %s is on %s", (folder, name) => expect(nameIn(LINUX, folder)).toBe(name));

  it.each([
    ["/Volumes/share/repo", "smbfs"],
    ["/Users/me/far/repo", "macfuse"],
    ["/Volumes/Stick (1)/repo", undefined],
    ["/Users/me/repo", undefined],
  ])("on macOS: %s is on %s", (folder, name) => expect(nameIn(MAC, folder)).toBe(name));

  it("in WSL 2: a disk of Windows is one, and a disk of the distribution is not", () => {
    // As `stat --file-system` prints them there: v9fs for /mnt/c, ext2/ext3 for the home folder.
    expect(networkFileSystem("/mnt/c/Users/me/repo", () => ({ type: 0x01021997 }))).toBe("9P");
    expect(networkFileSystem("/home/me/repo", () => ({ type: 0xef53 }))).toBeUndefined();
  });

  it("and a local folder is on none", () => expect(networkFileSystem(tmpdir())).toBeUndefined());
});
