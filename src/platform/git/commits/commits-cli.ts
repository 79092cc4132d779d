import { lstatSync } from "node:fs";
import { resolve } from "node:path";
import type { CheckedOutCommit, Checkout, Commits, MadeCommit, Recent, Worktree } from "../../ports/index.ts";
import type { GitDirectory } from "../repository/git-directory.ts";
import type { Environment } from "../process/git-environment.ts";
import { shown } from "../files/byte-path.ts";
import { isFolder, isObject } from "../files/diff-trees.ts";
import { CHANGE_OPTIONS, changeDigest } from "../objects/change-digest.ts";
import { looseCommit } from "../objects/loose-commit.ts";
import { gitRunner } from "../process/run-git.ts";
import { flushCommit, flushCommits } from "../objects/flush-objects.ts";
import { splitRecords } from "../process/git-output.ts";
import { putIndex, readIndex } from "../index-file/copy-index.ts";
import { objectFormatOf } from "../snapshots/conversion-settings.ts";
import { parseIndex } from "../index-file/parse-index.ts";
import { treeOfIndex } from "../index-file/tree-of-index.ts";
import { operationIn } from "../worktrees/worktree-entry.ts";
import { addAll, READ_EVERY_FILE } from "./add-all.ts";
import { outsideTree } from "./outside-tree.ts";
import {
  checkedOutCommit,
  checkedOutRef,
  flushCheckedOutRef,
  gitDirectoryOf,
} from "../refs/checked-out-ref.ts";
import { composeMessage } from "./commit-message.ts";
import { FORMAT, readNote, type ReadNote } from "./commit-notes.ts";
import { stashesOf } from "./stashes-of.ts";
import { gitRefusal } from "./git-refusal.ts";
import { isAt, uncommitted } from "./worktree-status.ts";
import { changedBetween, treeOf, writeTree } from "./tree-of.ts";
import { type RunInWorktree, worktreeGit } from "../process/run-in-worktree.ts";

/** Commits by the `git` program of PATH, called inside the worktree. */
export function commitsCli(env: Environment): Commits {
  const run = worktreeGit(env);
  return {
    checkout: (worktree) => look(run, worktree),
    operation: async ({ path }) => operationIn(gitDirectoryOf(path).gitDir),
    recent: (worktree) => recentOf(run, worktree),
    read: (worktree, commit = "HEAD") => readCommit(run, worktree, commit),
    uncommitted: (worktree, paths) => uncommitted(run, worktree, paths),
    isAt: (worktree, commit) => isAt(run, worktree, commit),
    head: async (worktree) => checkedOutCommit(gitDirectoryOf(worktree.path)) ?? headOf(run, worktree),
    checkedOut: async ({ path }) => checkedOut(gitDirectoryOf(path)),
    branch: (worktree) => branchOf(run, worktree),
    tree: (worktree, without) => treeOf(run, worktree, without),
    beside: (worktree, asked) => outsideTree(run, worktree, asked),
    changed: (worktree, before, after) => changedBetween(run, worktree, before, after),
    stashes: (worktree, branch) => stashesOf(run, worktree, branch),
    compose: async (message, trailers) => composeMessage(message, trailers),
    stage: (worktree, paths) => stage(run, worktree, paths),
    staged: (worktree) => staged(run, worktree),
    async make(worktree, { message, paths, allowEmpty }) {
      const { code, stderr } = await run(worktree, {
        args: [
          ...COMMIT,
          ...(allowEmpty ? ["--allow-empty"] : []),
          ...(paths ? ["--only", "--", ...paths] : []),
        ],
        access: "write",
        input: message,
      });
      return { made: code === 0, said: stderr.trim() };
    },
    async takeBack(worktree, commit, why = "made again with what came after it") {
      const [parent] = (await readCommit(run, worktree, commit)).parents;
      // The first commit of a branch leaves a branch without commits.
      const target = parent === undefined ? ["-d", "HEAD", commit] : ["HEAD", parent, commit];
      await moveHead(run, worktree, { target, why });
    },
    moveHead: (worktree, { from, to, why }) => moveHead(run, worktree, { target: ["HEAD", to, from], why }),
    async keep(worktree, tree, message) {
      const answer = await run(worktree, {
        args: ["commit-tree", tree, "-p", "HEAD", "-m", message],
        access: "write",
      });
      if (answer.code !== 0) throw gitRefusal("commit-tree", answer);
      return answer.stdout.toString("utf8").trim();
    },
    async put(worktree, tree) {
      const answer = await run(worktree, { args: ["read-tree", "-m", "-u", "HEAD", tree], access: "write" });
      if (answer.code !== 0) throw gitRefusal("read-tree", answer);
    },
    flush: (worktree, made) => settle(run, worktree, { env, made }),
  };
}

async function moveHead(
  run: RunInWorktree,
  worktree: Worktree,
  { target, why }: { readonly target: readonly string[]; readonly why: string },
): Promise<void> {
  const answer = await run(worktree, {
    args: ["update-ref", "-m", `pawl: ${why}`, ...target],
    access: "write",
  });
  if (answer.code !== 0) throw gitRefusal("update-ref", answer);
}

function checkedOut(git: GitDirectory): CheckedOutCommit | undefined {
  const head = checkedOutCommit(git);
  const commit = head === undefined ? undefined : looseCommit(git.commonDir, head);
  if (head === undefined || commit === undefined) return undefined;
  return { head, ...commit, operation: operationIn(git.gitDir) };
}

async function stage(
  run: RunInWorktree,
  worktree: Worktree,
  paths: readonly string[] | undefined,
): Promise<() => Promise<void>> {
  // What is gone from the folder is found by the commit itself, in the commit before it.
  const present = paths?.filter((path) => isThere(worktree, path));
  if (present?.length === 0) return async () => {};
  const { gitDir } = gitDirectoryOf(worktree.path);
  const before = readIndex(gitDir);
  await addAll(run, worktree, { paths: present });
  return async () => {
    if (before !== undefined) await putIndex(gitDir, before);
  };
}

/** Where the tree is one that was made before, nothing has to be written. */
async function staged(run: RunInWorktree, worktree: Worktree): Promise<string> {
  const { gitDir, commonDir } = gitDirectoryOf(worktree.path);
  const index = readIndex(gitDir);
  const known = index && treeOfIndex(index.bytes, objectFormatOf(commonDir));
  return known ?? writeTree(run, worktree);
}

interface ToSettle {
  readonly env: Environment;
  /** What was just read of the commit that is checked out. */
  readonly made: MadeCommit | undefined;
}

async function settle(run: RunInWorktree, worktree: Worktree, { env, made }: ToSettle): Promise<void> {
  const git = gitDirectoryOf(worktree.path);
  const head = checkedOutCommit(git) ?? (await headOf(run, worktree));
  const runThere = gitRunner({ gitDir: git.commonDir, env });
  if (head !== undefined && !(await settleKnown(git, head, made)))
    await flushCommits(runThere, git.commonDir, [head]);
  await flushCheckedOutRef(git);
}

/** False where git must be asked what came with it. */
async function settleKnown(
  { commonDir }: GitDirectory,
  head: string,
  made: MadeCommit | undefined,
): Promise<boolean> {
  if (made?.commit !== head || made.parents.length !== 1) return false;
  return flushCommit(commonDir, { commit: head, parent: made.parents[0]!, objects: made.objects });
}

const COMMIT = [
  ...READ_EVERY_FILE,
  "--literal-pathspecs",
  "-c",
  "i18n.commitEncoding=UTF-8",
  // It would only look whether there is something to tidy up, which `gc.auto=0` denies.
  "-c",
  "maintenance.auto=false",
  "commit",
  "--quiet",
  "--cleanup=whitespace",
  "--file=-",
];

const LOG = ["log", "-z", "--encoding=UTF-8", "--no-show-signature", "--no-color", FORMAT];
const MOST_RECENT = 100;
const MAX_MESSAGE_BYTES = 1 << 20;

async function look(run: RunInWorktree, worktree: Worktree): Promise<Checkout> {
  const git = gitDirectoryOf(worktree.path);
  const [head, unmerged] = await Promise.all([
    checkedOutCommit(git) ?? headOf(run, worktree),
    unmergedIn(run, worktree),
  ]);
  const ref = checkedOutRef(git);
  const branch = ref?.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : undefined;
  return { head, branch, isDetached: ref === undefined, unmerged };
}

async function headOf(run: RunInWorktree, worktree: Worktree): Promise<string | undefined> {
  const answer = await run(worktree, { args: ["rev-parse", "--quiet", "--verify", "HEAD"], access: "read" });
  if (answer.code === 0) return answer.stdout.toString("utf8").trim();
  const branch = await run(worktree, { args: ["symbolic-ref", "--quiet", "HEAD"], access: "read" });
  if (answer.code !== 1 || branch.code !== 0) throw gitRefusal("rev-parse", answer);
  return undefined;
}

async function recentOf(run: RunInWorktree, worktree: Worktree): Promise<Recent> {
  const answer = await run(worktree, {
    args: [...LOG, "--first-parent", `--max-count=${MOST_RECENT}`, "HEAD", "--"],
    access: "read",
  });
  if (answer.code !== 0) {
    if ((await headOf(run, worktree)) !== undefined) throw gitRefusal("log", answer);
    return { notes: [], usesTug: false };
  }
  const notes: ReadNote[] = [];
  const onOutput = splitRecords(MAX_MESSAGE_BYTES, ({ bytes }) => notes.push(readNote(bytes)));
  onOutput(answer.stdout);
  return { notes, usesTug: notes.some((note) => note.usesTug) };
}

/** As git keeps it in a file; a repository that keeps its refs otherwise names none there, and git is asked. */
async function branchOf(run: RunInWorktree, worktree: Worktree): Promise<string | undefined> {
  const plain = checkedOutRef(gitDirectoryOf(worktree.path));
  const ref =
    plain === "refs/heads/.invalid"
      ? (await run(worktree, { args: ["symbolic-ref", "--quiet", "HEAD"], access: "read" })).stdout.toString()
      : plain;
  return /^refs\/heads\/(.+)$/.exec(ref?.trim() ?? "")?.[1];
}

/** `git add` would take the marks of a conflict for its solution. */
async function unmergedIn(run: RunInWorktree, worktree: Worktree): Promise<readonly string[]> {
  const { gitDir, commonDir } = gitDirectoryOf(worktree.path);
  const bytes = readIndex(gitDir)?.bytes;
  // Reading the file saves a process. What is not written in the plain way, git is asked about.
  const entries = bytes && parseIndex(bytes, objectFormatOf(commonDir) === "sha256" ? 32 : 20);
  if (bytes === undefined) return [];
  if (entries !== undefined)
    return [...new Set(entries.filter(({ stage }) => stage > 0).map(({ path }) => shown(path)))];
  const { stdout } = await run(worktree, { args: ["ls-files", "--unmerged", "-z"], access: "read" });
  const paths = stdout
    .toString("utf8")
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => line.slice(line.indexOf("\t") + 1));
  return [...new Set(paths)];
}

/** Reading what it changed reads both trees: a commit whose objects are not all there fails here. */
async function readCommit(run: RunInWorktree, worktree: Worktree, commit: string): Promise<MadeCommit> {
  const answer = await run(worktree, {
    args: [
      ...LOG,
      "--max-count=1",
      "--first-parent",
      "-m",
      "--root",
      "--raw",
      "--no-abbrev",
      // The folders that changed, too: no patch shows them.
      "-t",
      ...CHANGE_OPTIONS,
      commit,
      "--",
    ],
    access: "read",
  });
  if (answer.code !== 0) throw gitRefusal("log", answer);
  const end = answer.stdout.indexOf(0);
  const { patch, objects, ...changed } = readRaw(answer.stdout.subarray(end + 1));
  const digest = changeDigest();
  digest.add(patch);
  const note = readNote(answer.stdout.subarray(0, end));
  return {
    ...note,
    ...changed,
    objects: [note.commit, note.tree, ...objects],
    change: digest.end(),
  };
}

/** What git prints for `--raw -z`, each path behind a line that begins with a colon, and behind all of them the patch. */
function readRaw(bytes: Buffer) {
  const files: string[] = [];
  const repositories: string[] = [];
  const moved: string[] = [];
  const objects: string[] = [];
  let at = bytes[0] === LINE_END ? 1 : 0;
  while (bytes[at] === COLON) {
    const name = bytes.indexOf(0, at) + 1;
    const end = bytes.indexOf(0, name);
    const path = bytes.toString("utf8", name, end);
    const [before = "", after = "", , object = ""] = bytes.toString("latin1", at + 1, name).split(" ");
    if (isObject(after)) objects.push(object);
    // Where a file became a folder, or the other way, the files in it are listed as well.
    const isFile = [before, after].some((mode) => mode !== NOTHING && !isFolder(mode));
    if (isFile) files.push(path);
    if (after === LINK) (before === LINK ? moved : repositories).push(path);
    at = end + 1;
  }
  return { files, repositories, moved, objects, patch: bytes.subarray(at + 1) };
}

/** The mode of a repository inside. */
const LINK = "160000";
const NOTHING = "000000";
const LINE_END = 10;
const COLON = 58;

function isThere({ path: folder }: Worktree, path: string): boolean {
  try {
    lstatSync(resolve(folder, path));
    return true;
  } catch {
    return false;
  }
}
