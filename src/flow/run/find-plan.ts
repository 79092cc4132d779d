import { Failure } from "../../domain/errors.ts";
import type { Ports } from "../../ports/index.ts";

/** The plan that was named, else the only one there is. Which of several is meant, only a person knows. */
export function findPlan({ plans }: Ports, named: string | undefined): string {
  if (named !== undefined) return named;
  const found = plans.search();
  if (found.length === 1) return found[0]!;
  throw new Failure(
    "run/no-plan",
    found.length === 0
      ? "There is no plan in the usual places."
      : `There are ${found.length} plans: ${found.slice(0, 20).join(", ")}.`,
    { plans: found },
  );
}
