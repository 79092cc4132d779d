import { fullStop } from "../../domain/index.ts";
import type { Submission } from "../../runs/index.ts";
import { BOOLEAN, LIST, NUMBER, STRING, WRITES, defineTool, gives, orNull, takes } from "../tool.ts";
import { foreignBlock, foreign, oneLine } from "../foreign-text.ts";
import { forAgents } from "../for-agents.ts";

export const submitTool = defineTool({
  name: "pawl_submit",
  about:
    "Say that your step is done. Pawl verifies it, commits everything changed in the worktree and completes the step; or it is rejected with evidence and still yours. Do not commit yourself.",
  input: takes(),
  output: gives({
    outcome: STRING,
    step: STRING,
    because: STRING,
    commit: orNull("string"),
    evidence: LIST,
    attempts_left: NUMBER,
    all_completed: BOOLEAN,
  }),
  annotations: WRITES,
  async run({ desk, interruption }) {
    const answer = await desk.submit(interruption);
    const because = oneLine(forAgents(answer.because));
    const data = {
      outcome: answer.outcome,
      step: answer.anchor,
      because,
      commit: answer.commit,
      evidence: answer.evidence.map(({ checked, outcome, exitCode, output, where }) =>
        foreign(`check ${oneLine(checked)}`, {
          outcome,
          exit_code: exitCode,
          where: where ?? null,
          output: foreignBlock(output),
        }),
      ),
      attempts_left: answer.attemptsLeft,
      all_completed: answer.allCompleted,
    };
    return { data, line: `${answer.anchor} ${answer.outcome}: ${fullStop(because)} ${NEXT[answer.outcome]}` };
  },
});

const NEXT: Readonly<Record<Submission["outcome"], string>> = {
  completed: "Call pawl_claim for the next step.",
  rejected: "Fix what the evidence shows, then call pawl_submit again.",
  blocked: "Stop here and tell the person: this needs their decision.",
  cancelled: "Call pawl_submit again when you want it verified.",
  paused: "Tell the person, and call pawl_submit again later.",
  handed_over: "End your turn.",
  lost: "Stop and tell the person: another worker has the step.",
};
