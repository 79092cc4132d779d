import { Failure, saysMachine } from "../../../domain/index.ts";
import type { WorktreeAnswer } from "../process/run-in-worktree.ts";

/** Git's refusal, in its own first words. */
export function gitRefusal(verb: string, { code, stderr }: WorktreeAnswer): Failure {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const hollow = HOLLOW.exec(stderr)?.[1];
  if (hollow !== undefined)
    return new Failure(
      "commit/hollow-repository",
      `${hollow} is a git repository of its own without a commit, so its files cannot be committed.`,
      { path: hollow },
    );
  const said = lines[0]?.replace(/^(?:fatal|error): /, "") ?? `it exited with code ${code}`;
  return new Failure("git/failed", `git ${verb}: ${said}`, { stderr: lines.slice(0, 20) });
}

/** Where `git init` was called and nothing is committed yet. */
const HOLLOW = /^error: '(.+)' does not have a commit checked out$/m;

/**
 * Why `git add` took nothing: usually a file is at fault, and the agent that wrote it can correct it.
 *
 * Where git could not write its own files, the step has nothing to do with it.
 */
export function notAdded(answer: WorktreeAnswer): Failure {
  const failure = gitRefusal("add", answer);
  const { code, stderr } = answer;
  const isAboutFiles = code !== null && !OWN_FILES.test(stderr) && !saysMachine(stderr);
  if (failure.problem !== "git/failed" || !isAboutFiles) return failure;
  return new Failure("commit/not-addable", `${failure.message}.`, failure.details, { cause: failure });
}

const OWN_FILES =
  /index file|object database|temporary file|\.lock'|not a git repository|bad object|loose object|must be run in a work tree/i;
