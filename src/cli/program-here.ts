import { isAbsolute, resolve } from "node:path";
import type { Context } from "./context.ts";

/**
 * What follows `--`, with a program that is named by its path found from here, as a shell would.
 *
 * Agents work in worktrees, which have only what is committed: `./my-agent` of a person who tries things out would not be
 * there. A path that leads nowhere from here stays as it is, because it may be of a file that only the worktree has.
 */
export function programHere(
  [program, ...words]: readonly string[],
  { cwd, files }: Pick<Context, "cwd" | "files">,
): readonly string[] | undefined {
  if (program === undefined) return undefined;
  const path = resolve(cwd, program);
  const isHere = program.includes("/") && !isAbsolute(program) && files.exists(path);
  return [isHere ? path : program, ...words];
}
