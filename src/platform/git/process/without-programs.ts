import { lazy } from "../../index.ts";
import type { RunGit } from "./run-git.ts";

/**
 * Git for those who only look: no filter and no merge driver that the repository's settings name is run.
 *
 * Looking at a file whose times changed makes git put it through the repository's filters, and merging in memory runs
 * its merge drivers. A user who only lists worktrees has not agreed to that. Without its filter such a file counts as
 * changed, and without its driver a file is in conflict: the careful side of both.
 */
export function withoutPrograms(run: RunGit): RunGit {
  const shared = lazy(() => programsIn(run));
  return async (call) => {
    const { isSame, config } = await shared();
    const own =
      isSame || call.worktree === undefined ? config : (await programsIn(run, call.worktree)).config;
    return run({ ...call, config: new Map([...(call.config ?? []), ...own]) });
  };
}

interface Programs {
  /** Settings that take the programs out of use. */
  readonly config: ReadonlyMap<string, string>;
  /** Whether every worktree of the repository has the same settings. */
  readonly isSame: boolean;
}

async function programsIn(run: RunGit, worktree?: string): Promise<Programs> {
  const names = await run({
    args: ["config", "--list", "--name-only", "-z"],
    access: "read",
    ...(worktree === undefined ? {} : { worktree }),
  });
  const config = new Map<string, string>();
  let isSame = true;
  for (const name of names.split("\0")) {
    if (/^(?:includeif\.|extensions\.worktreeconfig$)/.test(name)) isSame = false;
    const [, kind, driver] = /^(filter|merge)\.(.*)\.[^.]*$/s.exec(name) ?? [];
    if (kind === undefined || driver === undefined) continue;
    for (const [key, value] of IDLE[kind]!) config.set(`${kind}.${driver}.${key}`, value);
  }
  return { config, isSame };
}

/** An empty filter is none. A merge driver must be some program, and `false` says that there is a conflict. */
const IDLE: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  filter: [
    ["clean", ""],
    ["smudge", ""],
    ["process", ""],
    ["required", "false"],
  ],
  merge: [["driver", "false"]],
};
