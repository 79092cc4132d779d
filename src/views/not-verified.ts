import { openIfThere } from "../journal/index.ts";
import { listPlans } from "../plans/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { verificationsIn } from "../steps/index.ts";

/** How many completed steps of a plan no check has verified. */
export interface NotVerified {
  readonly planPath: string;
  readonly steps: number;
  /** The first reason; the steps themselves have theirs. */
  readonly because: string;
}

/** The plans that have completed steps which no check has verified; those with more completed steps than `most` are left out. */
export async function notVerified(
  ports: Ports,
  { most = Infinity }: { readonly most?: number | undefined } = {},
): Promise<readonly NotVerified[]> {
  const database = await openIfThere(ports);
  if (database === undefined) return [];
  return database.read(async (sql) => {
    const found: NotVerified[] = [];
    for (const { plan_path: planPath, steps_completed: completed } of await sql.all(listPlans, {})) {
      if (completed === 0 || completed > most) continue;
      const others = [...(await verificationsIn(sql, planPath)).values()].filter(
        ({ outcome }) => outcome !== "passed",
      );
      const because = others[0]?.because ?? null;
      if (because !== null) found.push({ planPath, steps: others.length, because });
    }
    return found;
  });
}
