import type { Ports } from "../../ports/index.ts";
import type { DamageExtent } from "./observe-damage.ts";
import { recover } from "./recover.ts";

/**
 * Repairs what a power cut left of git's files before anything else is done with them, and says what came of it.
 *
 * Cheap where nothing is wrong: it looks at the files of objects and entries, and asks git about the branches once.
 */
export async function repairDamage(ports: Ports, extent: DamageExtent = "tips"): Promise<readonly string[]> {
  const scope = { commits: false, worktrees: false, damage: { extent, only: true } };
  const { repaired, findings } = await recover(ports, { scope });
  return repaired.map(({ rule, subject, outcome }) => {
    const found = findings.find((one) => one.rule === rule && one.subject === subject)?.found;
    return `${found ?? subject} ${outcome}`;
  });
}
