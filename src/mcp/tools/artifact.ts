import { ARTIFACT_KINDS } from "../../domain/index.ts";
import { NUMBER, STRING, WRITES, defineTool, given, gives, takes, shortText } from "../tool.ts";

export const artifactTool = defineTool({
  name: "pawl_artifact",
  about: "Leave a note on your step for the next agent.",
  input: takes({ kind: { enum: ARTIFACT_KINDS }, summary: shortText(2000), content: shortText(200_000) }, [
    "kind",
    "summary",
  ]),
  output: gives({ step: STRING, artifact_id: NUMBER }),
  annotations: WRITES,
  async run({ agentSession }, args) {
    const answer = await agentSession.artifact({
      kind: args["kind"] as string,
      summary: args["summary"] as string,
      content: given(args, "content"),
    });
    return {
      data: { step: answer.anchor, artifact_id: answer.artifactId },
      line: `Recorded ${answer.kind} on ${answer.anchor}.`,
    };
  },
});
