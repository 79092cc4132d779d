import { isOpenItem, plural } from "../../domain/index.ts";
import { LIST, READS, STRING, defineTool, gives, orNull, takes } from "../tool.ts";
import { oneLine } from "../foreign-text.ts";

export const statusTool = defineTool({
  name: "pawl_status",
  about: "Show where you work, the step you hold, and the progress of all plans.",
  input: takes(),
  output: gives({ worktree: STRING, session: orNull("string"), held: orNull("object"), plans: LIST }),
  annotations: READS,
  async run({ pawl, agentSession }) {
    const { plans, step } = await pawl.prime({ worktree: agentSession.worktree.path });
    const mine = agentSession.held();
    const held =
      mine && step?.anchor === mine.anchor && step.claim === mine.claim
        ? {
            plan: step.planPath,
            step: step.anchor,
            title: oneLine(step.title),
            status: step.status,
            open_items: step.items.filter(isOpenItem).length,
            attempts: step.attempts,
          }
        : null;
    const data = {
      worktree: agentSession.worktree.path,
      session: agentSession.sessionId() ?? null,
      held,
      plans: plans.map(({ planPath, stepsCompleted, stepsTotal }) => ({
        plan: planPath,
        completed: stepsCompleted,
        total: stepsTotal,
      })),
    };
    const what = held ? `You hold ${held.step} of ${held.plan} (${held.status}).` : "You hold no step.";
    const more = held ? "" : ` ${plans.length === 0 ? NO_PLAN : WHICH_PLAN}`;
    return { data, line: `${what} ${plural(plans.length, "plan has", "plans have")} state.${more}` };
  },
});

const NO_PLAN = "Ask the person which plan to do.";
const WHICH_PLAN = "If the person named no plan, or the one they named is not listed, ask them.";
