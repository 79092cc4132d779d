import { BOOLEAN, STRING, WRITES, defineTool, given, gives, takes, shortText } from "../tool.ts";

export const startTool = defineTool({
  name: "pawl_start",
  about: "Begin a step you claimed with start: false, or one of its substeps.",
  input: takes({ step: shortText() }),
  output: gives({ plan: STRING, step: STRING, started: BOOLEAN }),
  annotations: WRITES,
  async run({ agentSession }, args) {
    const { planPath, anchor, started } = await agentSession.start(given(args, "step"));
    return { data: { plan: planPath, step: anchor, started }, line: `Started ${anchor}.` };
  },
});
