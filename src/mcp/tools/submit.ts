import { fullStop } from "../../domain/index.ts";
import type { Submission } from "../../runs/index.ts";
import { plural } from "../../domain/index.ts";
import {
  BOOLEAN,
  LIST,
  NUMBER,
  STRING,
  WRITES,
  defineTool,
  gives,
  orNull,
  shortText,
  takes,
} from "../tool.ts";
import { foreignBlock, foreign, oneLine } from "../foreign-text.ts";
import { forAgents } from "../for-agents.ts";

export const submitTool = defineTool({
  name: "pawl_submit",
  about:
    "Submit your step as done. Pawl verifies it, commits what changed since you claimed it, and completes the step; or rejects it with evidence, and you still hold it. Do not commit yourself.",
  input: takes({
    include: {
      type: "array",
      items: shortText(1000),
      maxItems: 1000,
      description: "files or folders that were changed before you claimed and belong to the step",
    },
  }),
  output: gives({
    outcome: STRING,
    step: STRING,
    because: STRING,
    commit: orNull("string"),
    evidence: LIST,
    attempts_left: NUMBER,
    all_completed: BOOLEAN,
    left_out: LIST,
  }),
  annotations: WRITES,
  async run({ agentSession, interruption }, args) {
    const include = args["include"] as readonly string[] | undefined;
    const answer = await agentSession.submit(interruption, { include });
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
      left_out: answer.leftOut.slice(0, MOST_FILES).map(oneLine),
    };
    const left = answer.leftOut.length;
    const out =
      left === 0
        ? ""
        : ` ${plural(left, "file")} changed before you claimed ${left === 1 ? "is" : "are"} not in it.`;
    return {
      data,
      line: `${answer.anchor} ${answer.outcome}: ${fullStop(because)} ${NEXT[answer.outcome]}${out}`,
    };
  },
});

const MOST_FILES = 50;

const NEXT: Readonly<Record<Submission["outcome"], string>> = {
  completed: "Call pawl_claim for the next step.",
  rejected: "Fix what the evidence shows, then call pawl_submit again.",
  blocked: "Stop and tell the person: this needs their decision.",
  cancelled: "Call pawl_submit again when you want it verified.",
  paused: "Tell the person, and call pawl_submit again later.",
  handed_over: "End your turn.",
  lost: "Stop and tell the person: another worker has the step.",
};
