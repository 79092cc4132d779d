import { Failure, shellWord } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";

/** A run whose database was deleted cannot be resumed: git has what was completed. */
export function storeLost(ports: Ports, error: unknown, plan: string | undefined): Failure | undefined {
  if (!(error instanceof Failure) || plan === undefined) return undefined;
  const { problem, message, details } = error;
  const isLoss = problem === "store/missing" || problem === "store/replaced";
  if (!isLoss || ports.files.exists(String(details["path"]))) return undefined;
  const hint = `For people: put the database back, or run \`pawl init\`, then \`pawl state reconcile ${shellWord(plan)}\`: that restores the completed steps from git. Work that is not committed is still in the worktrees.`;
  return new Failure(problem, message, details, { cause: error, hint });
}
