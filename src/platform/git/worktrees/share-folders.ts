import { spawn } from "node:child_process";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import type { IncludedFiles } from "../../ports/index.ts";
import { syncTrees } from "../../index.ts";
import type { RunGit } from "../process/run-git.ts";
import { folderProblem, ignoredAmong } from "./copy-included.ts";

/** What `[worktree]` says about folders that new worktrees get. */
export interface SharedFolders {
  readonly names: readonly string[];
  /** `link`: hard links where the file system cannot share blocks. */
  readonly by: "copy" | "link";
}

export interface ShareSetting extends SharedFolders {
  readonly run: RunGit;
  /** Top level of the main checkout; there may be none. */
  readonly from: string | undefined;
  /** Top level of the new worktree. */
  readonly to: string;
}

/**
 * Brings folders of the main checkout that git ignores, such as `node_modules`, into a new worktree.
 *
 * Where the file system can, the copy shares its blocks with the original until one of them is written. A folder gets its
 * name when all of it is there and on the disk: what a crash leaves has another name, and is made anew. Links inside are
 * copied as links, and none is followed on the way there.
 */
export async function shareFolders({ run, from, to, names, by }: ShareSetting): Promise<IncludedFiles> {
  const copied: string[] = [];
  const skipped: string[] = [];
  if (from === undefined) return { copied, skipped };
  for (const name of names.map(withoutSlash)) {
    const problem = await whyNotShared(run, { from, to, name });
    if (problem !== undefined) {
      if (problem !== "") skipped.push(`${name}: ${problem}`);
      continue;
    }
    const [target, part] = [join(to, name), join(to, `${name}${PART}`)];
    fs.mkdirSync(dirname(target), { recursive: true });
    fs.rmSync(part, { recursive: true, force: true });
    await copyFolder(join(from, name), part, by);
    await syncTrees([part]);
    fs.renameSync(part, target);
    copied.push(name);
  }
  return { copied, skipped };
}

/** What lies under such a name is not whole. */
const PART = ".pawl-part";

const withoutSlash = (name: string): string => name.replace(/(?<!\/)\/+$/, "");

/** Empty where there is nothing to do and nothing to say. */
async function whyNotShared(
  run: RunGit,
  { from, to, name }: { readonly from: string; readonly to: string; readonly name: string },
): Promise<string | undefined> {
  const problem = folderProblem(from, name) ?? folderProblem(to, name);
  if (problem !== undefined) return problem;
  const source = fs.lstatSync(join(from, name), { throwIfNoEntry: false });
  if (source === undefined || fs.lstatSync(join(to, name), { throwIfNoEntry: false }) !== undefined)
    return "";
  if (!source.isDirectory()) return "is no folder";
  const isIgnored = (await ignoredAmong(run, from, [name])).length > 0;
  return isIgnored ? undefined : "is not ignored by git, which looks after its files";
}

/** The system's own program, which copies tens of thousands of files in a fraction of the time; where it cannot, Node does. */
async function copyFolder(from: string, to: string, by: SharedFolders["by"]): Promise<void> {
  for (const options of WAYS[process.platform === "darwin" ? "darwin" : "linux"][by]) {
    if (await ranCopy([...options, "--", from, to])) return;
    // What it had begun is ours.
    fs.rmSync(to, { recursive: true, force: true });
  }
  await fs.promises.cp(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    mode: fs.constants.COPYFILE_FICLONE,
  });
}

/** In the order in which they are tried. Links are second to shared blocks: writing into one writes into both. */
const WAYS = {
  linux: {
    copy: [["-a", "--reflink=auto"]],
    link: [
      ["-a", "--reflink=always"],
      ["-a", "-l"],
    ],
  },
  darwin: {
    copy: [["-c", "-R", "-p"]],
    link: [
      ["-c", "-R", "-p"],
      ["-R", "-l"],
    ],
  },
} as const;

const ranCopy = (args: readonly string[]): Promise<boolean> =>
  new Promise((settle) => {
    // In a group of its own: an interrupt from the terminal must not end it half way.
    const child = spawn("cp", args, { stdio: "ignore", detached: true });
    child.on("error", () => settle(false));
    child.on("close", (code) => settle(code === 0));
  });
