import { Failure } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import type { DamageExtent } from "../observe/observe-damage.ts";
import { recover } from "../recover.ts";
import type { FindingView } from "../subject.ts";

/**
 * Repairs what a power cut left of git's files before anything else is done with them, and says what came of it.
 *
 * Cheap where nothing is wrong: it looks at the files of objects and entries, and asks git about the branches once.
 */
export async function repairDamage(ports: Ports, extent: DamageExtent = "tips"): Promise<readonly string[]> {
  return (await repair(ports, extent)).lines;
}

/**
 * The same for those who go on to work on a plan: on a branch that waits for a person they would only fail, or hide the
 * loss. Steps that another plan's branch lacks are no matter of theirs.
 */
export async function repairOrRefuse(ports: Ports, plan: string | undefined): Promise<readonly string[]> {
  const { lines, open } = await repair(ports, "tips");
  for (const { rule, found, subject, planPath } of open) {
    const details = { branch_name: subject, repaired: lines };
    if (rule === "damaged-branch") throw new Failure("branch/damaged", found, details);
    if (rule === "steps-off-branch" && planPath === plan)
      throw new Failure("branch/steps-missing", found, details);
  }
  return lines;
}

async function repair(
  ports: Ports,
  extent: DamageExtent,
): Promise<{ readonly lines: readonly string[]; readonly open: readonly FindingView[] }> {
  const scope = { damage: { extent, only: true } };
  const { repaired, findings, open } = await recover(ports, { scope });
  const lines = repaired.map(({ rule, subject, outcome }) => {
    const found = findings.find((one) => one.rule === rule && one.subject === subject)?.found;
    return `${found ?? subject} ${outcome}`;
  });
  return { lines, open };
}
