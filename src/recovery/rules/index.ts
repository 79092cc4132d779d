// The door of this room: other rooms import from here alone.
export { REPAIRS, type RepairName } from "./repairs.ts";
export { ruleReference } from "./rule-reference.ts";
export type { AgentOutlook, Choice, Repair } from "./rule.ts";
export { type Finding, RULES, type RuleName, diagnose, isRule, ruleOf } from "./rules.ts";
export type { Facts, Kind, Seen, SeenOf } from "./situation.ts";
