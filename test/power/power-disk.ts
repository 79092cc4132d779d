import { spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { sleep } from "../../src/platform/sleep.ts";

/** How the power goes: with everything on the disk, with git's and SQLite's metadata only, or with neither. */
export const CUTS = { flushed: 0, "log only": 1, nothing: 2 } as const;

export type Cut = keyof typeof CUTS;

export const MOUNTS = ["defaults", "commit=60", "data=writeback"] as const;

export type Mount = (typeof MOUNTS)[number];

const SIZE = 96 * 1024 * 1024;

/** EXT4_IOC_SHUTDOWN: the file system stops at once, as if its disk had lost power. Node itself has no ioctl. */
const CUTTERS = [
  [
    "perl",
    "-e",
    'use Fcntl; sysopen(my $disk, $ARGV[0], O_RDONLY) or die $!; $| = 1; print "ready\\n"; <STDIN>; ioctl($disk, 0x8004587d, pack("L", $ARGV[1])) or die $!; print "cut\\n"',
  ],
  [
    "python3",
    "-c",
    'import os,sys,fcntl,struct\nd=os.open(sys.argv[1],os.O_RDONLY)\nprint("ready",flush=True)\nsys.stdin.readline()\nfcntl.ioctl(d,0x8004587d,struct.pack("I",int(sys.argv[2])))\nprint("cut",flush=True)',
  ],
] as const;

const answers = (program: string, ...args: readonly string[]): boolean =>
  spawnSync(program, args, { stdio: "ignore" }).error === undefined;

const cutter = () => CUTTERS.find(([program]) => answers(program, "--version"));

/** Why power cannot be cut here; undefined where it can. */
export function whyNot(): string | undefined {
  if (process.platform !== "linux") return "EXT4_IOC_SHUTDOWN is Linux's";
  if (process.getuid?.() !== 0) return "only root may mount an image and shut it down";
  if (!answers("mkfs.ext4", "-V")) return "there is no mkfs.ext4";
  if (cutter() === undefined) return "neither perl nor python3 is there to call ioctl";
  if (!existsSync("/dev/loop-control")) return "there are no loop devices";
  return undefined;
}

export interface PowerDisk {
  /** Where it is mounted. */
  readonly path: string;
  /** Makes an empty file system. */
  readonly format: () => void;
  readonly mount: (options: Mount) => void;
  readonly unmount: () => Promise<void>;
  /** Keeps what is on it, under a name; it must not be mounted. */
  readonly keep: (name: string) => void;
  /** Copies the image as it is, mounted or not, for a person to look at. */
  readonly keepAt: (file: string) => void;
  /** Puts on it what was kept. */
  readonly bring: (name: string) => void;
  /** Ready to cut without the time that starting a program takes. */
  readonly arm: (cut: Cut) => Promise<() => Promise<void>>;
  readonly discard: () => Promise<void>;
}

/** One image with its mount point below a folder. */
export function powerDisk(folder: string): PowerDisk {
  const path = join(folder, "disk");
  const image = join(folder, "disk.img");
  const kept = (name: string): string => join(folder, `${name}.img`);
  mkdirSync(path, { recursive: true });
  const unmount = async (): Promise<void> => {
    for (let round = 0; isMounted(path); round += 1) {
      if (round === 600) throw new Error(`${path} stays busy`);
      spawnSync("umount", [path], { stdio: "ignore" });
      if (isMounted(path)) await sleep(100);
    }
  };
  return {
    path,
    format() {
      rmSync(image, { force: true });
      writeFileSync(image, "");
      truncateSync(image, SIZE);
      must("mkfs.ext4", "-q", "-F", "-J", "size=8", image);
    },
    mount: (options) => must("mount", "-o", options === "defaults" ? "loop" : `loop,${options}`, image, path),
    unmount,
    keep: (name) => copy(image, kept(name)),
    keepAt(file) {
      spawnSync("sync", ["-f", path]);
      copy(image, file);
    },
    bring: (name) => copy(kept(name), image),
    arm: (cut) => arm(path, cut),
    async discard() {
      await unmount();
      for (const name of readdirSync(folder)) if (name.endsWith(".img")) rmSync(join(folder, name));
    },
  };
}

/** Sparse where `cp` can: most of the image is empty. */
function copy(from: string, to: string): void {
  if (spawnSync("cp", ["--sparse=always", from, to], { stdio: "ignore" }).status !== 0)
    copyFileSync(from, to);
}

const isMounted = (path: string): boolean =>
  readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .some((line) => line.split(" ")[1] === path);

function must(program: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
}

async function arm(path: string, cut: Cut): Promise<() => Promise<void>> {
  const [program, ...args] = cutter()!;
  const child = spawn(program, [...args, path, String(CUTS[cut])], { stdio: ["pipe", "pipe", "inherit"] });
  const line = (): Promise<string> =>
    new Promise((resolve, reject) => {
      child.stdout.once("data", (bytes: Buffer) => resolve(String(bytes)));
      child.once("exit", (code) => reject(new Error(`${program} ended with ${code}`)));
    });
  await line();
  return async () => {
    const done = new Promise((resolve) => {
      child.once("close", resolve);
    });
    const answer = line();
    child.stdin.end("now\n");
    await answer;
    await done;
  };
}
