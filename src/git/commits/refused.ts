import { Failure } from "../../domain/errors.ts";
import type { WorktreeAnswer } from "./worktree-runner.ts";

/** Git's refusal, in its own first words. */
export function refused(verb: string, { code, stderr }: WorktreeAnswer): Failure {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const said = lines[0]?.replace(/^(?:fatal|error): /, "") ?? `it ended with exit code ${code}`;
  return new Failure("git/failed", `git ${verb}: ${said}`, { stderr: lines.slice(0, 20) });
}
