import { expect, it } from "vitest";
import { requestBody, requestMarker, type RequestStep } from "./request-body.ts";

const step = (more: Partial<RequestStep> = {}): RequestStep => ({
  anchor: "step-1",
  title: "Dig",
  status: "completed",
  note: null,
  commit: "0123456789abcdef",
  evidence: "npm test",
  workedMs: 90_000,
  starts: 1,
  usage: null,
  ...more,
});
const marker = requestMarker("docs/plan --> x.md", "abc");
const body = (steps: readonly RequestStep[]) =>
  requestBody({ marker, plan: "plan.md", title: "A plan", steps, checks: [], usage: null });

it("a marker is one comment, whatever the plan is called", () => {
  expect(marker.indexOf("-->")).toBe(marker.length - 3);
});

it("a landed step has its commit and what passed; one without a check says so", () => {
  const text = body([step(), step({ anchor: "step-2", evidence: undefined })]);
  expect(text).toContain("| step-1 Dig | landed | 0123456789ab | npm test | 2 min |  |");
  expect(text).toContain("| step-2 Dig | landed | 0123456789ab | not verified | 2 min |  |");
});

it("what a step and the plan cost is in it", () => {
  const usage = { inputTokens: 1200, outputTokens: 300, costUsd: 0.5, unpricedTokens: 0 };
  const text = requestBody({
    marker,
    plan: "plan.md",
    title: "A plan",
    steps: [step({ usage })],
    checks: [],
    usage: { ...usage, costUsd: 0.75 },
  });
  expect(text).toContain("| 2 min | $0.50 (1.2k tokens in, 300 out) |");
  expect(text).toContain("in 1 start and used $0.75 (1.2k tokens in, 300 out).");
});

it("a title ends no table, opens no comment and calls no person", () => {
  const text = body([step({ title: "a | b\n<!-- pawl @team" })]);
  expect(text).toContain("step-1 a &#124; b &lt;!-- pawl &#64;team");
});

it("a plan of thousands of steps fits", () => {
  const text = body(Array.from({ length: 5000 }, (_, index) => step({ anchor: `step-${index}` })));
  expect(text.length).toBeLessThan(61_000);
  expect(text).toMatch(/\| … \d+ more \|/);
  expect(text).toContain("Pawl keeps this text current.");
});
