import { Failure } from "../../domain/errors.ts";
import type { SessionRow } from "../../platform/rows.ts";
import type { WorkersToRun } from "./run-workers.ts";

/** What a session of each kind does. */
export async function loopFor(kind: SessionRow["kind"]): Promise<NonNullable<WorkersToRun["loop"]>> {
  if (kind === "improve") return (await import("../improve/improve-loop.ts")).improveLoop;
  if (kind === "plan") return (await import("../spec/planner-loop.ts")).plannerLoop;
  if (kind === "verify") throw new Failure("internal/bug", "A verification is done again, not taken up.", {});
  return (await import("./work-loop.ts")).workLoop;
}
