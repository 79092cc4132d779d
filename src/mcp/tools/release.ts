import { BOOLEAN, STRING, WRITES, defineTool, given, gives, takes, shortText } from "../tool.ts";

export const releaseTool = defineTool({
  name: "pawl_release",
  about: "Release your step unfinished. Your files stay as they are.",
  input: takes({ reason: shortText(2000) }),
  output: gives({ step: STRING, released: BOOLEAN }),
  annotations: WRITES,
  async run({ agentSession }, args) {
    const { anchor, released } = await agentSession.release(given(args, "reason"));
    return { data: { step: anchor, released }, line: `Released ${anchor}; any worker can claim it.` };
  },
});
