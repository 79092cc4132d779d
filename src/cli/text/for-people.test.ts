import { describe, expect, it } from "vitest";
import { forPeople } from "./for-people.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const ID = "s-72ef66b1-322f-4fb4-9ab6-18c6df51f742";

describe("a sentence for people", () => {
  it.each([
    ["waits for a limit until 2026-03-01T14:00:00.000Z; then", "waits for a limit for another 2h; then"],
    ["waited until 2026-03-01T11:48:00Z", "waited until 12m ago"],
    ["ended at 2026-03-01T11:48:00.123456Z.", "ended 11m ago."],
    [`Session ${ID} is gone`, "Session s-72ef66b1 is gone"],
    ["was interrupted (process_kill).", "was interrupted (by a kill or crash)."],
    ["(process_kill, 2026-03-01T11:00:00Z)", "(by a kill or crash, 1h ago)"],
    ["is blocked (some_other_code)", "is blocked (some_other_code)"],
    ["passed: passed: checklist", "passed: checklist"],
    ["passed: passer-by", "passed: passer-by"],
  ])("%s → %s", (text, expected) => {
    expect(forPeople(text, NOW)).toBe(expected);
  });

  it.each([
    `.git/pawl/logs/${ID}/0001-verify.log`,
    'step-1 "Freeze at 2026-03-01T14:00:00Z (process_kill)" timed out in a previous session.',
  ])("leaves paths and titles alone: %s", (text) => {
    expect(forPeople(text, NOW)).toBe(text);
  });
});
