import { plural } from "../../domain/index.ts";
import { BOOLEAN, LIST, READS, STRING, defineTool, given, gives, takes, shortText } from "../tool.ts";
import { oneLine } from "../foreign-text.ts";
import { planOf } from "../which-plan.ts";

const MOST = 20;

export const nextTool = defineTool({
  name: "pawl_next",
  about: "List what can be claimed now, and what the other steps wait for. Claims nothing.",
  input: takes({ plan: shortText() }),
  output: gives({ plan: STRING, ready: LIST, held: LIST, waiting: LIST, all_completed: BOOLEAN }),
  annotations: READS,
  async run({ pawl, agentSession }, args) {
    const plan = await planOf(pawl, agentSession, given(args, "plan"));
    const answer = await pawl.ready({ plan });
    const named = ({ anchor, title }: { readonly anchor: string; readonly title: string }) => ({
      step: anchor,
      title: oneLine(title),
    });
    const ready = [...answer.ready, ...answer.expiredClaim].slice(0, MOST).map(named);
    const data = {
      plan: answer.planPath,
      ready,
      held: answer.held
        .slice(0, MOST)
        .map((step) => ({ ...named(step), by: step.heldBy, until: step.until })),
      waiting: answer.blocked.slice(0, MOST).map((step) => ({
        ...named(step),
        reason: step.reason,
        blocked_by: step.blockedBy,
        note: step.note === null ? null : oneLine(step.note),
      })),
      all_completed:
        answer.ready.length + answer.expiredClaim.length + answer.held.length + answer.blocked.length === 0,
    };
    const what = data.all_completed
      ? "All steps are completed."
      : `${plural(ready.length, "step")} can be claimed.`;
    return { data, line: `${answer.planPath}: ${what}` };
  },
});
