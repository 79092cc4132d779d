export { goalIn } from "./passages/goal.ts";
export { passagesFor } from "./passages/references.ts";
export { stepProse } from "./passages/step-prose.ts";
export { ticksBetween, untick } from "./passages/ticks.ts";
