import { plural } from "../../domain/index.ts";
import {
  BOOLEAN,
  LIST,
  STRING,
  WRITES,
  defineTool,
  given,
  gives,
  orNull,
  takes,
  shortText,
} from "../tool.ts";
import type { AgentClaim } from "../../agent-sessions/index.ts";
import { briefForAgents, oneLine } from "../foreign-text.ts";

const MOST_FILES = 50;

export const claimTool = defineTool({
  name: "pawl_claim",
  about:
    "Get the next ready step (or the one you hold) with everything known about it, and start it. Saves a plan that has no state yet. If nothing is ready, the answer says why.",
  input: takes({ plan: shortText(), step: shortText(), start: { ...BOOLEAN, description: "default true" } }),
  output: gives({
    claimed: BOOLEAN,
    plan: STRING,
    step: orNull("string"),
    about: LIST,
    already_changed: LIST,
    missing_work: LIST,
    waiting: LIST,
    all_completed: BOOLEAN,
  }),
  annotations: { ...WRITES, idempotentHint: true },
  async run({ agentSession }, args) {
    const answer = await agentSession.claim({
      plan: given(args, "plan"),
      step: given(args, "step"),
      start: args["start"] as boolean | undefined,
    });
    const step = answer.brief?.step.anchor ?? null;
    const data = {
      claimed: answer.claimed,
      plan: answer.planPath,
      step,
      about: answer.brief ? briefForAgents(answer.brief) : [],
      already_changed: answer.alreadyChanged.slice(0, MOST_FILES).map(oneLine),
      missing_work: answer.missingWork.map(({ anchor, commit, reason }) => ({
        step: anchor,
        commit,
        reason,
      })),
      waiting: answer.waiting.map(({ anchor, reason, blockedBy, heldBy, until, note }) => ({
        step: anchor,
        reason,
        blocked_by: blockedBy,
        held_by: heldBy,
        until,
        note: note === null ? null : oneLine(note),
      })),
      all_completed: answer.allCompleted,
    };
    return { data, line: lineOf(answer, step) };
  },
});

function lineOf(
  answer: Pick<AgentClaim, "planPath" | "allCompleted" | "again" | "alreadyChanged" | "missingWork">,
  step: string | null,
): string {
  if (step === null)
    return answer.allCompleted
      ? `${answer.planPath}: all steps are completed.`
      : `${answer.planPath}: nothing can be claimed now; \`waiting\` says why. Tell the person what it waits for, and stop.`;
  const changed =
    answer.alreadyChanged.length === 0
      ? ""
      : ` ${plural(answer.alreadyChanged.length, "file was", "files were")} changed here before; submitting leaves them out. Name those that belong to the step as \`include\` of pawl_submit.`;
  return `${answer.again ? "You hold" : "Claimed"} ${step} of ${answer.planPath}.${changed}${missingOf(answer.missingWork)}`;
}

function missingOf(missing: AgentClaim["missingWork"]): string {
  if (missing.length === 0) return "";
  const names = missing.map(({ anchor, commit }) => `${anchor} (commit ${commit.slice(0, 12)})`).join(", ");
  return ` This worktree lacks work that the step builds on: ${names}. Merge those commits here before you begin, or tell the person if you cannot.`;
}
