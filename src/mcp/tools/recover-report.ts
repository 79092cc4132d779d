import { LIST, NUMBER, READS, defineTool, gives, takes } from "../tool.ts";
import { forAgents } from "../for-agents.ts";
import { oneLine } from "../foreign-text.ts";

const MOST = 60;

export const recoverReportTool = defineTool({
  name: "pawl_recover_report",
  about:
    "List what is broken or left over (interrupted sessions, blocked steps, late results, damage) and who can fix it. Changes nothing.",
  input: takes(),
  output: gives({ found: LIST, for_people: NUMBER }),
  annotations: READS,
  async run({ pawl }) {
    const { leftOvers, forPeople } = await pawl.recoverReport();
    const found = leftOvers.slice(0, MOST).map(({ rule, subject, found: seen, who, next }) => ({
      rule,
      subject: oneLine(subject),
      found: oneLine(forAgents(seen)),
      who,
      next: forAgents(next),
    }));
    const line =
      forPeople > 0
        ? `${forPeople} of ${leftOvers.length} need a person: tell them.`
        : `${leftOvers.length} found; none needs a person.`;
    return { data: { found, for_people: forPeople }, line };
  },
});
