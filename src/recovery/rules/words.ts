import { REPAIRS, type RepairName } from "./repairs.ts";
import type { Choice } from "./rule.ts";
import type { Facts, Situation } from "./situation.ts";

/** A step as people know it. */
export const named = ({ anchor, title }: Facts["step"]): string => `${anchor} "${title}"`;

/** A choice under its usual key. */
export const choice = (
  name: { [N in RepairName]: (typeof REPAIRS)[N]["key"] extends string ? N : never }[RepairName],
  because: string,
): Choice => ({ do: name, key: REPAIRS[name].key, because });

/** No agent is running on it who could be disturbed. */
export const isAtRest = ({ holder }: Situation<"step">): boolean => holder !== "living";

/** No agent is running on it, and no worker will continue where it was left. */
export const isLeft = ({ holder }: Situation<"step">): boolean => holder === "none" || holder === "gone";

/** Said where work can be continued, so that a person who decides knows of it. */
export const keptText = ({ kept }: Facts["step"]): string =>
  kept === undefined ? "" : ` Its work from ${kept} is kept.`;
