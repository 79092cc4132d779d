import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { seededRandom } from "../../bench/seeded-random.ts";
import { cleanEnv } from "./repository.ts";

/** Worktrees in every kind of disorder, the same for the same seed. */

export interface DirtyTree {
  readonly root: string;
  /** What was done to it, for the message of a failing test. */
  readonly story: readonly string[];
}

type Random = () => number;

class Scene {
  readonly story: string[] = [];
  readonly names: Buffer[] = [];
  readonly root: string;
  readonly random: Random;
  constructor(root: string, random: Random) {
    this.root = root;
    this.random = random;
  }
  git(...args: readonly string[]): string {
    return gitIn(this.root, ...args);
  }
  /** Git that is expected to stop in the middle. */
  tryGit(...args: readonly string[]): void {
    try {
      this.git(...args);
    } catch {
      // A conflict is what was wanted.
    }
  }
  chance(share: number): boolean {
    return this.random() < share;
  }
  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)]!;
  }
  at(name: Buffer): Buffer {
    return Buffer.concat([Buffer.from(`${this.root}/`), name]);
  }
  bytes(): Buffer {
    const kind = this.random();
    if (kind < 0.15) return Buffer.alloc(0);
    if (kind < 0.35) return Buffer.from(Array.from({ length: 40 }, () => Math.floor(this.random() * 256)));
    const lines = Array.from({ length: 1 + Math.floor(this.random() * 8) }, () => `line ${this.random()}`);
    if (kind < 0.55) return Buffer.from(lines.join("\r\n"));
    return Buffer.from(`${lines.join("\n")}\n$Id$\n`);
  }
  write(name: Buffer, bytes = this.bytes()): void {
    makeParents(this, name);
    clear(this.at(name));
    fs.writeFileSync(this.at(name), bytes);
    if (this.chance(0.25)) fs.chmodSync(this.at(name), 0o755);
  }
  link(name: Buffer): void {
    makeParents(this, name);
    clear(this.at(name));
    const target = this.pick([
      Buffer.from("nowhere"),
      Buffer.from("."),
      Buffer.from("/etc/hosts"),
      Buffer.from([0xff, 0x2f]),
    ]);
    fs.symlinkSync(target, this.at(name));
  }
}

export const gitIn = (root: string, ...args: readonly string[]): string =>
  execFileSync("git", ["-c", "protocol.file.allow=always", "-C", root, ...args], {
    encoding: "utf8",
    env: cleanEnv(),
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();

function clear(path: Buffer): void {
  if (statOf(path)) fs.rmSync(path, { recursive: true, force: true });
}

/** What is there, also where something above is no folder. */
function statOf(path: Buffer): fs.Stats | undefined {
  try {
    return fs.lstatSync(path);
  } catch {
    return undefined;
  }
}

/** Whatever stands where a folder is needed goes. */
function makeParents(scene: Scene, name: Buffer): void {
  const parts = name.toString("latin1").split("/").slice(0, -1);
  for (let count = 1; count <= parts.length; count += 1) {
    const folder = scene.at(Buffer.from(parts.slice(0, count).join("/"), "latin1"));
    const stat = fs.lstatSync(folder, { throwIfNoEntry: false });
    if (stat && !stat.isDirectory()) clear(folder);
    if (!stat?.isDirectory()) fs.mkdirSync(folder);
  }
}

const NAMES = [
  "plain.txt", "a/deep/er/file", "with space", "new\nline", 'quo"te', "back\\slash", "tab\there", "-dash", "--help", "ünï",
  "a/x", "a/y", "b/x.bin", "crlf.txt", "filtered.dat", "id.c", "b/filtered.dat", ":colon", "*", "sub2/z", "wide.utf16",
].map((name) => Buffer.from(name)); // oxfmt-ignore
const RAW_NAMES = [
  Buffer.from([0x66, 0xff, 0xfe]),
  Buffer.from("dir\xff/é", "latin1"),
  Buffer.from([0xc3, 0x28]),
];

const ATTRIBUTES = [
  "crlf.txt text eol=crlf\n*.c ident\n*.dat filter=shout\n*.utf16 working-tree-encoding=UTF-16LE\n",
  "* text=auto\n*.bin binary\n",
];

/** A repository with some history, then some of everything undone. */
export function dirtyTree(root: string, seed: number): DirtyTree {
  const scene = new Scene(root, seededRandom(seed));
  fs.mkdirSync(root, { recursive: true });
  gitIn(root, "init", "-q", "-b", "main");
  return disorder(scene, 0.08);
}

/** The same in a worktree that is there, on the branch it has checked out. */
export const dirtyWorktree = (root: string, seed: number): DirtyTree =>
  disorder(new Scene(root, seededRandom(seed)), 0);

function disorder(scene: Scene, shareOfUnborn: number): DirtyTree {
  scene.git("config", "user.name", "T");
  scene.git("config", "user.email", "t@example.invalid");
  // Upper and lower case: another content of the same length.
  scene.git("config", "filter.shout.clean", "tr a-z A-Z");
  scene.git("config", "filter.shout.smudge", "tr A-Z a-z");
  if (scene.chance(0.2)) scene.git("config", "core.autocrlf", scene.pick(["true", "input"]));
  if (scene.chance(0.6)) scene.write(Buffer.from(".gitattributes"), Buffer.from(scene.pick(ATTRIBUTES)));
  if (scene.chance(0.7)) scene.write(Buffer.from(".gitignore"), Buffer.from("*.ignored\nbuild/\n"));
  scene.names.push(...NAMES, ...RAW_NAMES);
  const isUnborn = scene.chance(shareOfUnborn);
  for (const name of scene.names) if (scene.chance(0.5)) makeTracked(scene, name);
  scene.git("add", "-A");
  if (isUnborn) scene.story.push("unborn");
  else scene.git("commit", "-q", "-m", "first");
  if (!isUnborn) {
    addSubmodule(scene);
    beInTheMiddle(scene);
    if (scene.chance(0.1)) scene.tryGit("checkout", "-q", "--detach");
  }
  for (let acts = Math.floor(scene.random() * 14); acts > 0; acts -= 1) mess(scene);
  return { root: scene.root, story: scene.story };
}

function makeTracked(scene: Scene, name: Buffer): void {
  if (name.toString().endsWith(".utf16")) scene.write(name, Buffer.from("text in two bytes\n", "utf16le"));
  else if (scene.chance(0.1)) scene.link(name);
  else scene.write(name);
}

function addSubmodule(scene: Scene): void {
  if (!scene.chance(0.2)) return;
  const source = `${scene.root}.source`;
  fs.mkdirSync(source);
  gitIn(source, "init", "-q", "-b", "main");
  fs.writeFileSync(join(source, "inside"), "inside\n");
  gitIn(source, "add", "-A");
  gitIn(source, "commit", "-q", "-m", "inside");
  scene.git("submodule", "--quiet", "add", source, "module");
  scene.git("commit", "-q", "-m", "module");
  scene.story.push("submodule");
  if (scene.chance(0.6)) {
    fs.writeFileSync(join(scene.root, "module/inside"), "changed\n");
    fs.writeFileSync(join(scene.root, "module/more"), scene.bytes());
    scene.story.push("dirty submodule");
  }
}

/** Two branches that both changed the same files, and an operation that stops at it. */
function beInTheMiddle(scene: Scene): void {
  const kind = scene.random();
  if (kind > 0.45) return;
  let count = 0;
  const change = (side: string): void => {
    count += 1;
    fs.writeFileSync(join(scene.root, "both"), `${side} ${count}\n`);
    fs.writeFileSync(join(scene.root, `only-${side}`), `${side} ${count}\n`);
    scene.git("add", "both", `only-${side}`);
    scene.git("commit", "-q", "-m", side);
  };
  scene.tryGit("stash", "-q", "-u");
  const branch = scene.git("symbolic-ref", "--short", "HEAD");
  scene.git("branch", "other");
  change("ours");
  change("ours");
  scene.git("checkout", "-q", "other");
  change("theirs");
  scene.git("checkout", "-q", branch);
  if (kind < 0.15) scene.tryGit("merge", "other");
  else if (kind < 0.3) scene.tryGit("rebase", "other");
  else if (kind < 0.4) scene.tryGit("cherry-pick", "other");
  else scene.tryGit("revert", "--no-commit", "HEAD~1");
  scene.story.push(
    ["merge", "rebase", "cherry-pick", "revert"][kind < 0.15 ? 0 : kind < 0.3 ? 1 : kind < 0.4 ? 2 : 3]!,
  );
}

const MESSES: Readonly<Record<string, (scene: Scene, name: Buffer) => void>> = {
  untracked: (scene) => scene.write(scene.pick([...NAMES, ...RAW_NAMES, Buffer.from("git~1")])),
  ignored(scene) {
    scene.write(Buffer.from("some.ignored"));
    scene.write(Buffer.from("build/out/x"));
  },
  modify: (scene, name) => scene.write(name),
  "same size"(scene, name) {
    const stat = statOf(scene.at(name));
    if (stat?.isFile()) fs.writeFileSync(scene.at(name), Buffer.alloc(stat.size, 120));
  },
  mode(scene, name) {
    const stat = statOf(scene.at(name));
    if (stat?.isFile()) fs.chmodSync(scene.at(name), stat.mode ^ 0o111);
  },
  link: (scene, name) => scene.link(name),
  delete: (scene, name) => clear(scene.at(name)),
  "file to folder"(scene, name) {
    scene.write(Buffer.concat([name, Buffer.from("/below")]));
  },
  "folder to file": (scene) => scene.write(Buffer.from(scene.pick(["a", "b", "a/deep"]))),
  "folder to link": (scene) => scene.link(Buffer.from(scene.pick(["a", "b"]))),
  rename(scene, name) {
    if (!statOf(scene.at(name))?.isFile()) return;
    const to = Buffer.from(`renamed-${Math.floor(scene.random() * 1e6)}`);
    fs.renameSync(scene.at(name), scene.at(to));
  },
  stage: (scene) => scene.tryGit("add", "-A", "--", "a", "b", "plain.txt"),
  "stage all": (scene) => scene.tryGit("add", "-A", "--ignore-errors"),
  "stage and change"(scene) {
    scene.write(Buffer.from("plain.txt"));
    scene.tryGit("add", "plain.txt");
    scene.write(Buffer.from("plain.txt"));
  },
  "intent to add"(scene) {
    scene.write(Buffer.from("intended"));
    scene.tryGit("add", "-N", "intended");
  },
  "remove from index": (scene) => scene.tryGit("rm", "-q", "--cached", "--", "plain.txt"),
  "assume unchanged"(scene) {
    scene.tryGit("update-index", "--assume-unchanged", "plain.txt");
    if (statOf(Buffer.from(join(scene.root, "plain.txt")))?.isFile()) scene.write(Buffer.from("plain.txt"));
  },
  "skip worktree"(scene) {
    scene.tryGit("update-index", "--skip-worktree", "a/x");
    if (scene.chance(0.5)) clear(scene.at(Buffer.from("a/x")));
  },
  touch(scene, name) {
    if (statOf(scene.at(name))?.isFile()) fs.utimesSync(scene.at(name), 1e9, 1e9);
  },
  "split index": (scene) => scene.tryGit("update-index", "--split-index"),
  "inner repository"(scene) {
    const inner = join(scene.root, "inner");
    if (fs.existsSync(inner)) return;
    fs.mkdirSync(inner);
    gitIn(inner, "init", "-q");
    fs.writeFileSync(join(inner, "own"), "own\n");
    if (scene.chance(0.5)) {
      gitIn(inner, "add", "-A");
      gitIn(inner, "commit", "-q", "-m", "own");
    }
  },
};

function mess(scene: Scene): void {
  const kind = scene.pick(Object.keys(MESSES));
  scene.story.push(kind);
  MESSES[kind]!(scene, scene.pick(scene.names));
}

export interface Seen {
  readonly files: Readonly<Record<string, string>>;
  readonly times: Readonly<Record<string, string>>;
}

/** Every file below a folder but git's own: kind, executable bit and bytes; and, apart, inode and times. */
export function see(root: string): Seen {
  const files: Record<string, string> = {};
  const times: Record<string, string> = {};
  const walk = (folder: Buffer, prefix: string): void => {
    for (const name of fs.readdirSync(folder, { encoding: "buffer" })) {
      const key = `${prefix}${name.toString("latin1")}`;
      if (name.toString() === ".git") continue;
      const path = Buffer.concat([folder, Buffer.from("/"), name]);
      const stat = fs.lstatSync(path, { bigint: true });
      times[key] = `${stat.ino} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.mode}`;
      if (stat.isSymbolicLink())
        files[key] = `-> ${fs.readlinkSync(path, { encoding: "buffer" }).toString("latin1")}`;
      else if (stat.isDirectory()) walk(path, `${key}/`);
      else
        files[key] =
          `${(Number(stat.mode) & 0o100) === 0 ? "-" : "x"} ${fs.readFileSync(path).toString("latin1")}`;
    }
  };
  walk(Buffer.from(root), "");
  return { files, times };
}

/** Where git keeps what belongs to one worktree. */
export const gitDirOf = (root: string): string => gitIn(root, "rev-parse", "--absolute-git-dir");

/** What git says, and keeps, about a worktree. */
export function gitSeen(root: string): unknown {
  const gitDir = gitDirOf(root);
  const state: Record<string, string> = {};
  for (const name of fs.readdirSync(gitDir, { recursive: true, encoding: "utf8" })) {
    if (!/^(?:MERGE_|CHERRY|REVERT|REBASE|AUTO_MERGE|SQUASH|rebase-|sequencer)/.test(name)) continue;
    const path = join(gitDir, name);
    if (fs.statSync(path).isFile()) state[name] = fs.readFileSync(path, "latin1");
  }
  return {
    state,
    status: gitIn(
      root,
      "-c",
      "core.quotePath=true",
      "--no-optional-locks",
      "status",
      "--porcelain=v2",
      "--branch",
      "-uall",
    ),
    index: gitIn(root, "ls-files", "--stage", "-v", "--full-name"),
    refs: gitIn(
      root,
      "for-each-ref",
      "--format=%(refname) %(objectname)",
      "refs/heads",
      "refs/tags",
      "refs/stash",
    ),
    head: fs.readFileSync(join(gitDir, "HEAD"), "utf8"),
  };
}
