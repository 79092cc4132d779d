import { Failure } from "../../domain/errors.ts";
import type { WorktreeAnswer } from "./worktree-runner.ts";

/** Git's refusal, in its own first words. */
export function refused(verb: string, { code, stderr }: WorktreeAnswer): Failure {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const hollow = HOLLOW.exec(stderr)?.[1];
  if (hollow !== undefined)
    return new Failure(
      "commit/hollow-repository",
      `${hollow} is a repository without a commit, so git can keep nothing of it.`,
      { path: hollow },
    );
  const said = lines[0]?.replace(/^(?:fatal|error): /, "") ?? `it ended with exit code ${code}`;
  return new Failure("git/failed", `git ${verb}: ${said}`, { stderr: lines.slice(0, 20) });
}

/** Where somebody called `git init` and has not committed yet. */
const HOLLOW = /^error: '(.+)' does not have a commit checked out$/m;
