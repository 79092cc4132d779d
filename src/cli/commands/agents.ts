import { snakeCase } from "../../journal/index.ts";
import type { AgentsAnswer } from "../../views/index.ts";
import { defineCommand } from "../command.ts";
import { containmentText } from "../text/containment-text.ts";
import { columns } from "../text/layout.ts";
import type { Paint } from "../text/paint.ts";
import { paragraph } from "../text/paragraph.ts";

export const agentsCommand = defineCommand({
  name: "agents",
  more: `Lists the agents that Pawl knows and pawl.toml names, as a run would start them: version, permissions,
containment, and whether Pawl can resume its conversation. docs/permissions.md has the exact options.`,
  operands: [],
  options: {},
  examples: ["pawl agents", "pawl agents --json"],
  async run(context) {
    const answer = await (await context.pawl()).installedAgents();
    return { data: snakeCase(answer), text: (paint) => linesOf(answer, paint).join("\n") };
  },
});

function linesOf({ agents, notInstalled }: AgentsAnswer, paint: Paint): readonly string[] {
  const rows = agents.map((agent) => [
    paint.bold(agent.isDefault ? `${agent.name} *` : agent.name),
    agent.version ?? "unknown",
    agent.profile,
    containmentText(agent),
    agent.isResumable ? "resumable" : "starts anew",
  ]);
  const shortfalls = agents.flatMap(({ name, permissions, profile, missing }) =>
    missing === null ? [] : [`${name} gets ${profile} instead of ${permissions}: ${missing}.`],
  );
  return [
    ...(agents.length === 0
      ? ["No agent is installed. Any program works: pawl run plan.md -- ./my-agent"]
      : columns(rows).split("\n")),
    ...[...new Set(shortfalls)].map((text) => paragraph(text, 2, paint.columns, paint.yellow)),
    ...(notInstalled.length === 0
      ? []
      : [paragraph(`Not installed: ${notInstalled.join(", ")}`, 2, paint.columns, paint.dim)]),
  ];
}
