import { expect, it } from "vitest";
import type { AgentEvent, AgentTrouble } from "../../domain/index.ts";
import type { CommandToRun } from "./run-command.ts";
import { reportRetries } from "./report-retries.ts";
import type { WorkerEvent } from "./run-event.ts";

const trouble = (kind: AgentTrouble["kind"], from: AgentTrouble["from"], said: string): AgentEvent => ({
  kind: "trouble",
  trouble: { kind, from, said },
});

function reported(...events: readonly AgentEvent[]): readonly string[] {
  const lines: string[] = [];
  const report = (event: WorkerEvent) => {
    if (event.event === "retrying")
      lines.push(`${event.step} ${event.agent} ${event.trouble}: ${event.said}`);
  };
  const command = { agent: { name: "claude" }, held: { anchor: "step-1" } } as unknown as CommandToRun;
  const take = reportRetries({ report }, command);
  for (const event of events) take(event);
  return lines;
}

it("is said once for as long as the agent only waits, and again after it worked", () => {
  expect(
    reported(
      trouble("offline", "words", "retrying (1 of 10)"),
      trouble("offline", "words", "retrying (2 of 10)"),
      { kind: "text", text: "Back at work." },
      trouble("offline", "words", "retrying (1 of 10)"),
      trouble("limited", "words", "waiting for capacity"),
    ),
  ).toEqual([
    "step-1 claude offline: retrying (1 of 10)",
    "step-1 claude offline: retrying (1 of 10)",
    "step-1 claude limited: waiting for capacity",
  ]);
});

it("is not said of what an agent ends with", () => {
  expect(reported(trouble("limited", "field", "usage limit"))).toEqual([]);
});
