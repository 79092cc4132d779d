import type { Ports } from "../platform/ports/index.ts";
import { renewSentinel } from "../runs/prepare/sentinel.ts";
import { openIfThere } from "../journal/open-if-there.ts";

/** Says that an agent ended in order, so that the next start need not look at everything. */
export async function markCleanExit(ports: Ports): Promise<{ readonly written: boolean }> {
  const database = await openIfThere(ports);
  return { written: database !== undefined && (await renewSentinel(ports)) };
}
