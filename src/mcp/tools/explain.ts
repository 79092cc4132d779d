import { LIST, READS, STRING, defineTool, given, gives, takes, shortText } from "../tool.ts";
import { forAgents } from "../for-agents.ts";
import { oneLine } from "../foreign-text.ts";
import { planOf } from "../which-plan.ts";

export const explainTool = defineTool({
  name: "pawl_explain",
  about: "Explain why a step, or every open step, is in its state, on what evidence, and what happens next.",
  input: takes({ plan: shortText(), step: shortText() }),
  output: gives({ plan: STRING, steps: LIST }),
  annotations: READS,
  async run({ pawl, agentSession }, args) {
    const plan = await planOf(pawl, agentSession, given(args, "plan"));
    const answer = await pawl.explain({ plan, step: given(args, "step") });
    const steps = answer.steps.map(({ anchor, title, status, because, evidence, next }) => ({
      step: anchor,
      title: oneLine(title),
      status,
      because: oneLine(forAgents(because)),
      evidence: evidence.map(({ at, fact }) => ({ at, fact: oneLine(fact) })),
      next: forAgents(next),
    }));
    const [first] = steps;
    return {
      data: { plan: answer.planPath, steps },
      line: first ? `${first.step} is ${first.status}: ${first.because}` : "All steps are completed.",
    };
  },
});
