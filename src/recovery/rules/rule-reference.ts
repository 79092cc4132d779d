import { RULES } from "./rules.ts";
import { REPAIRS } from "./repairs.ts";
import type { Diagnosis, Rule } from "./rule.ts";
import { everySituation } from "./situation.ts";

/** The page on what `pawl recover` recognises. What each rule offers is found by walking every situation there is. */
export function ruleReference(): string {
  const situations = [...everySituation()];
  const rules: readonly [string, Rule][] = Object.entries(RULES);
  const rows = rules.map(([name, rule]) => {
    const found = situations.map((seen) => rule.diagnose(seen)).filter((one) => one !== undefined);
    return `| \`${name}\` | ${rule.about} | ${offers(found)} |`;
  });
  const owned = situations.filter((seen) => rules.some(([, rule]) => rule.diagnose(seen) !== undefined));
  return [
    "# What `pawl recover` recognises",
    "",
    "<!-- Printed from the rules in the source by `npm run docs`; edit those. -->",
    "",
    `A step, a session, a worktree, a branch or a plan can be in ${situations.length} situations. ${owned.length} of them need a repair or a decision, and each of those belongs to exactly one rule; the others are healthy.`,
    "",
    "| rule | found | repairs |",
    "| --- | --- | --- |",
    ...rows,
    "",
    "Pawl repairs on its own only what is proven or loses nothing. Where there are keys, a person decides: at a terminal by pressing one, elsewhere with `pawl recover --answer RULE:SUBJECT=KEY`. What is only reported waits for a person, or for time.",
    "",
  ].join("\n");
}

function offers(found: readonly Diagnosis[]): string {
  const automatic = new Set(found.flatMap(({ automatic }) => automatic?.do ?? []));
  const asked = new Set(found.flatMap(({ choices = [] }) => choices.map((choice) => choice.do)));
  const isReported = found.some(({ automatic, choices }) => automatic === undefined && choices === undefined);
  return [
    ...[...automatic].map((name) => `automatic: ${plain(REPAIRS[name].label)}`),
    ...(asked.size > 0 ? [`asks: ${[...asked].map((name) => REPAIRS[name].label).join(", ")}`] : []),
    ...(isReported ? ["reported"] : []),
  ].join("; ");
}

/** The key means nothing where nothing is asked. */
const plain = (label: string): string => label.replace(/^\[\w\] /, "");
