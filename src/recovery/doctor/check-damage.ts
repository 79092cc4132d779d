import { plural } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { diagnose } from "../rules/index.ts";
import { check, type CheckResult } from "./check.ts";
import { openIfThere } from "../../journal/index.ts";
import { damageNow } from "../observe/observe-damage.ts";
import { repairDamage } from "../repair/repair-damage.ts";

export interface DamageCheck {
  readonly fix: boolean;
  /** Lets `git fsck` read every object, too. */
  readonly full: boolean;
}

/** Whether git still has everything that Pawl's branches, worktrees and completed steps lead to. */
export async function checkDamage(
  ports: Ports,
  { fix, full }: DamageCheck,
  fixed: string[],
): Promise<CheckResult> {
  if (fix && (await openIfThere(ports)) !== undefined) fixed.push(...(await repairDamage(ports, "whole")));
  const found = diagnose(await damageNow(ports, "whole")).map((finding) => finding.found);
  const said = full ? await (await ports.damage()).fsck() : [];
  const problems = [...found, ...said];
  return problems.length === 0
    ? check("pass", "The branches of all plans are intact.", { full })
    : check(
        "fail",
        `${plural(problems.length, "thing")} of git's ${problems.length === 1 ? "needs" : "need"} repair, as after a power cut. \`pawl recover\` repairs what can be repaired, and says what cannot.`,
        { full, problems },
      );
}
