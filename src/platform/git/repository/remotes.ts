import { type RunGit, unlessStopped } from "../process/run-git.ts";

/**
 * The remote branch that holds a commit; the one with the shortest name, which is usually the main one.
 *
 * With a remote named, only its branches count: others may not be able to reach any other.
 */
export async function remoteBranchOf(
  run: RunGit,
  commit: string,
  remote?: string,
): Promise<string | undefined> {
  const within = remote === undefined ? "refs/remotes" : `refs/remotes/${remote}`;
  const answer = await run({
    args: ["for-each-ref", "--format=%(refname:lstrip=2)", `--contains=${commit}`, within],
    access: "read",
  });
  const branches = answer.split("\n").filter((name) => name !== "" && !name.endsWith("/HEAD"));
  return branches.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))[0];
}

/**
 * What every clone of a repository has in common: the first commit of its main line, and where it was cloned from.
 *
 * Not every first commit there is: notes, stashes and branches without a past have one too, and clones differ in
 * which of those they hold. A shallow clone does not reach the first commit and has no roots.
 */
export async function readOrigin(
  run: RunGit,
): Promise<{ readonly roots: readonly string[]; readonly remote: string | undefined }> {
  const shallow =
    (await run({ args: ["rev-parse", "--is-shallow-repository"], access: "read" })).trim() === "true";
  const urls = lines(
    await run({ args: ["config", "--get-regexp", "^remote\\..*\\.url$"], access: "read", answers: [1] }),
  );
  const found = urls.find((line) => line.startsWith("remote.origin.url ")) ?? urls[0];
  return {
    roots: shallow ? [] : await firstCommit(run),
    remote: found === undefined ? undefined : bareRemote(found.slice(found.indexOf(" ") + 1)),
  };
}

/** What the remote calls its main line counts before what is checked out here. */
const MAIN_LINES = [
  "refs/remotes/origin/HEAD",
  "refs/remotes/origin/main",
  "refs/remotes/origin/master",
  "HEAD",
];

async function firstCommit(run: RunGit): Promise<readonly string[]> {
  for (const ref of MAIN_LINES) {
    const args = ["rev-list", "--max-parents=0", "--first-parent", "--end-of-options", ref];
    const roots = await run({ args, access: "read" }).catch(unlessStopped(""));
    if (roots !== "") return lines(roots);
  }
  return [];
}

/** The same place, however it is written: without protocol, user, password, port and `.git`. */
function bareRemote(url: string): string {
  const scp = /^(?:[^@/]+@)?([^:/]+):(?!\/\/)(.*)$/.exec(url);
  const path = scp
    ? `${scp[1]}/${scp[2]}`
    : url.replace(/^[a-z+]+:\/\/(?:[^@/]*@)?/i, "").replace(/^([^/]*):\d+\//, "$1/");
  return path
    .replace(/(?<!\/)\/+$/, "")
    .replace(/\.git$/, "")
    .toLowerCase();
}

const lines = (text: string): string[] => text.split("\n").filter((line) => line !== "");
