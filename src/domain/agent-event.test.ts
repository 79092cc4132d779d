import { describe, expect, it } from "vitest";
import { usedOfConversation } from "./agent-event.ts";

const used = (inputTokens: number, outputTokens: number, costUsd = 0) => ({
  inputTokens,
  outputTokens,
  costUsd,
});
const NOTHING = used(0, 0);

describe("what a run used of its conversation", () => {
  it("is what it reports where the agent has no total", () => {
    expect(usedOfConversation(used(3, 5, 0.25), undefined, used(100, 100, 1))).toEqual(used(3, 5, 0.25));
  });

  it("is the total without what earlier runs are on record with", () => {
    // As claude 2.1.326 and codex 0.169.0 report it after a resume.
    expect(usedOfConversation(used(3, 5, 0.5), used(6, 10, 0.5), used(3, 5, 0.25))).toEqual(used(3, 5, 0.25));
    expect(usedOfConversation(NOTHING, used(9, 6), used(6, 4))).toEqual(used(3, 2));
  });

  it("is the total of the run alone where it has no room for the earlier ones", () => {
    // As claude 2.1.197 reports it.
    expect(usedOfConversation(used(3, 5, 0.25), used(3, 5, 0.25), used(3, 5, 0.25))).toEqual(
      used(3, 5, 0.25),
    );
    expect(usedOfConversation(NOTHING, used(3, 2), used(6, 4))).toEqual(used(3, 2));
  });

  it("has what a run in between used that was cut off before it could report", () => {
    expect(usedOfConversation(NOTHING, used(20, 10), used(5, 5))).toEqual(used(15, 5));
  });
});
