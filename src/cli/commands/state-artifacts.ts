import { Failure, safeBlock } from "../../domain/index.ts";
import type { StepDetail } from "../../views/index.ts";
import { PLAN, STEP } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import type { Paint } from "../text/paint.ts";
import { paragraph } from "../text/paragraph.ts";
import { localTime } from "../text/times.ts";
import { snakeCase } from "../../journal/index.ts";

export const stateArtifactsCommand = defineCommand({
  name: "state artifacts",
  operands: [PLAN, STEP],
  options: { id: { type: "number", value: "N", about: "Only this one" } },
  examples: ["pawl state artifacts plan.md step-1", "pawl state artifacts plan.md step-1 --id 3"],
  async run(context, { id }, [plan = "", step = ""]) {
    const { planPath, anchor, artifacts } = await (await context.pawl()).step({ plan, step });
    const chosen = artifacts.filter(({ artifactId }) => id === undefined || artifactId === id);
    if (id !== undefined && chosen.length === 0) {
      const ids = artifacts.map(({ artifactId }) => artifactId);
      throw new Failure(
        "usage/wrong",
        `${anchor} of ${planPath} has no artifact ${id}.`,
        { plan_path: planPath, anchor, ids },
        { hint: "Leave --id out to see all of them." },
      );
    }
    return {
      data: snakeCase({ planPath, anchor, artifacts: chosen }),
      text: (paint) =>
        chosen.length === 0
          ? `${paint.bold(anchor)} has no artifacts.`
          : chosen.map((one) => describe(one, paint)).join("\n\n"),
    };
  },
});

function describe(artifact: StepDetail["artifacts"][number], paint: Paint): string {
  const { artifactId, kind, summary, content, claim, recordedAt } = artifact;
  const under = claim === null ? "" : `, claim ${claim}`;
  return [
    `${paint.bold(String(artifactId))}  ${paint.cyan(kind)}  ${paint.dim(`${localTime(recordedAt)}${under}`)}`,
    `  ${paragraph(summary, 2, paint.columns)}`,
    ...(content === null ? [] : ["", safeBlock(content).trimEnd()]),
  ].join("\n");
}
