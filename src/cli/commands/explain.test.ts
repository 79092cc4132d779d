import { describe, expect, it } from "vitest";
import type { Explanation } from "../../views/index.ts";
import type { Context } from "../context.ts";
import { plainPaint } from "../text/paint.ts";
import { explainCommand } from "./explain.ts";

const BLOCKED = {
  anchor: "step-1",
  title: "Build it",
  status: "blocked",
  because: "3 attempts failed.",
  evidence: [],
  said: [],
  refused: [],
  next: "Nothing until a person retries it.",
  options: [],
  findings: [],
  events: [],
};
const FAILURE = { checked: "npm test", together: false, attempt: 3, exitCode: 1, log: "/logs/0003.log" };

async function explained(failure: object): Promise<string> {
  const steps = [{ ...BLOCKED, failure }] as unknown as readonly Explanation[];
  const context = { pawl: async () => ({ explain: async () => ({ fullCheck: null, steps }) }) };
  const { text } = await explainCommand.run(context as unknown as Context, {}, ["plan.md", "step-1"], []);
  return (text as (paint: ReturnType<typeof plainPaint>) => string)(plainPaint(100));
}

describe("explain, of a check that failed", () => {
  it("shows attempt, exit code, the last lines and the log", async () => {
    const shown = await explained({ ...FAILURE, lines: ["1 of 3 failed"] });
    expect(shown).toContain("npm test, attempt 3 (exit 1):\n    | 1 of 3 failed\n    log /logs/0003.log");
  });

  it("shows attempt, exit code and log of one that printed nothing", async () => {
    const shown = await explained({ ...FAILURE, lines: [] });
    expect(shown).toContain("npm test, attempt 3 (exit 1): no output\n    log /logs/0003.log");
  });
});
