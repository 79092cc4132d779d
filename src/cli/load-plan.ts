import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { EXIT_CODES, Failure, type Plan } from "../domain/index.ts";
import { type Account, accountOf, parseSource, readSource } from "../plans/formats/index.ts";
import type { Context } from "./context.ts";
import type { Issue } from "../journal/index.ts";

export interface LoadedPlan {
  /** As people see it: relative to where they are, absolute when it lies elsewhere. */
  readonly planPath: string;
  readonly plan: Plan;
  /** What became of every box and task heading of the file. */
  readonly account: () => Account;
}

/** Reads the plan that an operand names. Needs no repository and no database. */
export function loadPlan(
  { cwd, files }: Pick<Context, "cwd" | "files">,
  operand: string,
  format?: string,
): LoadedPlan {
  if (operand === "" || operand.includes("\0")) {
    throw new Failure("plan/not-found", "The name of the plan is empty or holds a NUL character.");
  }
  const path = pathOf(cwd, operand, files);
  const planPath = shownPath(cwd, path);
  const source = readSource(files, path);
  const plan = parseSource(source, planPath, format);
  return { planPath, plan, account: () => accountOf(new TextDecoder().decode(source.bytes), plan) };
}

/**
 * Where it lies from here, else from the top of the worktree: every other command finds it there, too, and says its
 * name as it is from there.
 */
function pathOf(cwd: string, operand: string, { exists }: Context["files"]): string {
  const here = resolve(cwd, operand);
  if (exists(here) || isAbsolute(operand)) return here;
  let folder = cwd;
  while (!exists(join(folder, ".git")) && dirname(folder) !== folder) folder = dirname(folder);
  const above = resolve(folder, operand);
  return exists(join(folder, ".git")) && exists(above) ? above : here;
}

export function shownPath(cwd: string, path: string): string {
  const inside = relative(cwd, path);
  const elsewhere = inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return (elsewhere ? path : inside).replaceAll(sep, "/");
}

/** What is wrong with a plan, for the envelope. What was merely noticed stays out. */
export const issuesOf = ({ diagnostics }: Plan): readonly Issue[] =>
  diagnostics.filter(({ severity }) => severity !== "info");

/** A broken plan is still shown and drawn, but no script may take it for a good one. */
export const planExitCode = ({ diagnostics }: Plan): number =>
  diagnostics.some(({ severity }) => severity === "error") ? EXIT_CODES.failed : 0;
