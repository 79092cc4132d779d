import { Failure } from "../../domain/index.ts";
import type { Branches, CheckedOut, Ports } from "../../platform/ports/index.ts";
import { baseCommit } from "../../platform/index.ts";

export interface Base {
  readonly name: string;
  readonly commit: string;
}

/**
 * What a new branch starts from: what was asked for, else the setting, else the main checkout's branch, else the remote's.
 *
 * A name that was given and does not exist is refused, never replaced by the next in line.
 */
export async function chooseBase(
  ports: Ports,
  asked: string | undefined,
  listed: readonly CheckedOut[],
): Promise<Base> {
  const { settings } = ports;
  const branches = await ports.branches();
  const given = asked ?? settings.base_branch;
  if (given !== undefined) {
    const commit = await baseCommit(branches, given);
    if (commit !== undefined) return { name: given, commit };
    const from = asked === undefined ? "pawl.toml names the base branch" : "there is no commit called";
    throw new Failure("worktree/no-base", `No base to start from: ${from} ${given}.`, { base: given });
  }
  const main = listed.find(({ isMain, isBare }) => isMain && !isBare);
  if (main?.branch !== undefined && main.head !== undefined) return { name: main.branch, commit: main.head };
  const current = await branches.current();
  const remote = settings.remote ?? "origin";
  for (const nameOf of [() => current, () => branches.remoteHead(remote)]) {
    const name = await nameOf();
    const commit = name === undefined ? undefined : await baseCommit(branches, name);
    if (name === undefined || commit === undefined) continue;
    if (name !== current) await refuseWithout(branches, name, commit, main?.head);
    return { name, commit };
  }
  throw current === undefined
    ? new Failure(
        "worktree/no-base",
        `No base to start from: HEAD is detached, and ${remote} names no main branch.`,
        {},
      )
    : new Failure(
        "worktree/no-base",
        `No base to start from: ${current} has no commit yet.`,
        { branch: current },
        { hint: "Make a first commit, such as `git commit -m 'First'` after `git add`, then call it again." },
      );
}

/** A person on a detached HEAD would get everything but the commits that were made there, without a word about it. */
async function refuseWithout(
  branches: Branches,
  name: string,
  commit: string,
  head: string | undefined,
): Promise<void> {
  if (head === undefined || (await branches.mergeBase(commit, head)) === head) return;
  throw new Failure(
    "worktree/no-base",
    `No base to start from: HEAD is detached at ${head.slice(0, 12)}, which ${name} does not have.`,
    { base: name, head },
    {
      hint: "Make a branch here with `git switch -c <name>`, or name the one to start from: base_branch in pawl.toml, or --base of `pawl worktree create`.",
    },
  );
}
