import type { RunGit } from "./run-git.ts";

/** The remote branch that holds a commit; the one with the shortest name, which is usually the main one. */
export async function remoteBranchOf(run: RunGit, commit: string): Promise<string | undefined> {
  const answer = await run({
    args: ["for-each-ref", "--format=%(refname:lstrip=2)", `--contains=${commit}`, "refs/remotes"],
    access: "read",
  });
  const branches = answer.split("\n").filter((name) => name !== "" && !name.endsWith("/HEAD"));
  return branches.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))[0];
}

/** What every clone of a repository has in common. A shallow clone does not reach the first commit and has no roots. */
export async function readOrigin(
  run: RunGit,
): Promise<{ readonly roots: readonly string[]; readonly remote: string | undefined }> {
  const shallow =
    (await run({ args: ["rev-parse", "--is-shallow-repository"], access: "read" })).trim() === "true";
  const roots = shallow
    ? []
    : lines(await run({ args: ["rev-list", "--max-parents=0", "--all"], access: "read" }));
  const urls = lines(
    await run({ args: ["config", "--get-regexp", "^remote\\..*\\.url$"], access: "read" }).catch(() => ""),
  );
  const found = urls.find((line) => line.startsWith("remote.origin.url ")) ?? urls[0];
  return {
    roots: roots.toSorted(),
    remote: found === undefined ? undefined : bareRemote(found.slice(found.indexOf(" ") + 1)),
  };
}

/** The same place, however it is written: without protocol, user, password, port and `.git`. */
export function bareRemote(url: string): string {
  const scp = /^(?:[^@/]+@)?([^:/]+):(?!\/\/)(.*)$/.exec(url);
  const path = scp
    ? `${scp[1]}/${scp[2]}`
    : url.replace(/^[a-z+]+:\/\/(?:[^@/]*@)?/i, "").replace(/^([^/]*):\d+\//, "$1/");
  return path
    .replace(/\/+$/, "")
    .replace(/\.git$/, "")
    .toLowerCase();
}

const lines = (text: string): string[] => text.split("\n").filter((line) => line !== "");
