import { Failure } from "../../domain/index.ts";
import type { Git } from "../ports/index.ts";
import { changeDigests } from "./objects/change-digest.ts";
import { committedFiles } from "./objects/committed-files.ts";
import { commitText } from "./objects/commit-text.ts";
import { holdCommit } from "./refs/hold-commit.ts";
import { identityProblem } from "./commits/identity-problem.ts";
import { nameCommits } from "./refs/name-commits.ts";
import { readOrigin, remoteBranchOf } from "./repository/remotes.ts";
import { readStepTrailers } from "./trailers/read-trailers.ts";
import { flushCommits } from "./objects/flush-objects.ts";
import { unreachableCommits } from "./objects/unreachable-commits.ts";
import { gitRunner, type GitSetting } from "./process/run-git.ts";

/** The git port by the `git` program of PATH, on one git directory: the common one. */
export function gitCli(setting: GitSetting): Git {
  const run = gitRunner(setting);

  const commitExists: Git["commitExists"] = async (name, worktree) => {
    if (name.startsWith("-")) {
      throw new Failure("commit/invalid", `${name} is not the name of a commit.`, { commit: name });
    }
    const runThere: typeof run = (call) =>
      run(worktree === undefined ? call : { ...call, worktree: worktree.path });
    return (await nameCommits(runThere, [name])).get(name);
  };

  return {
    commitExists,
    identityProblem: () => identityProblem(run),
    async version() {
      const answer = await run({ args: ["version"], access: "read" });
      return /\d+(?:\.\d+)*/.exec(answer)?.[0] ?? answer.trim();
    },
    async holdCommit(ref, name) {
      const commit = await commitExists(name);
      if (commit === undefined) {
        throw new Failure("commit/invalid", `There is no commit ${name} here.`, { commit: name });
      }
      return holdCommit({ run, commonDir: setting.gitDir }, ref, commit);
    },
    flush: (commits) => flushCommits(run, setting.gitDir, commits),
    async missingCommits(names) {
      const found = await nameCommits(run, names);
      return names.filter((name) => !found.has(name));
    },
    unreachable: (names, refs) => unreachableCommits(run, setting.gitDir, { names, refs }),
    remoteBranchOf: (commit, remote) => remoteBranchOf(run, commit, remote),
    origin: () => readOrigin(run),
    changes: (stretches) => changeDigests(run, stretches),
    committedFiles: (path) => committedFiles(run, path),
    commitText: (commit) => commitText(run, commit),
    planCommits: (query) => readStepTrailers(run, query),
  };
}
