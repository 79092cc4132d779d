import type { Ports } from "../../ports/index.ts";
import { closeAgain } from "../recover/sentinel.ts";
import { openIfThere } from "../open-if-there.ts";

/** Says that an agent ended in order, so that the next start need not look at everything. */
export async function leaveCleanly(ports: Ports): Promise<{ readonly written: boolean }> {
  const database = await openIfThere(ports);
  return { written: database !== undefined && (await closeAgain(ports)) };
}
