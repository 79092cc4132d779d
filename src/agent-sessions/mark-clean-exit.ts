import type { Ports } from "../platform/ports/index.ts";
import { renewSentinel } from "../runs/index.ts";
import { openIfThere } from "../journal/index.ts";

/** Says that an agent ended in order, so that the next start need not look at everything. */
export async function markCleanExit(ports: Ports): Promise<{ readonly written: boolean }> {
  const database = await openIfThere(ports);
  return { written: database !== undefined && (await renewSentinel(ports)) };
}
