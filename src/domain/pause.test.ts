import { describe, expect, it } from "vitest";
import { type ExitVerdict, PAUSES } from "./exit-verdict.ts";
import { pauseAfter } from "./pause.ts";

const NOW = 1_000_000_000_000;
const minutes = (verdict: ExitVerdict, pauses: number) => {
  const pause = pauseAfter(verdict, pauses, NOW);
  return pause?.kind === "wait" ? (pause.untilMs - NOW) / 60_000 : pause?.kind;
};
const limited = (untilMs?: number): ExitVerdict => ({ outcome: "limited", untilMs, said: "wait" });

const EVERY: readonly ExitVerdict[] = [
  { outcome: "finished" },
  { outcome: "failed", exitCode: 1, because: "exit" },
  limited(),
  { outcome: "unauthorised", said: "x" },
  { outcome: "context_exhausted", said: "x" },
  { outcome: "offline", said: "x" },
  { outcome: "killed", signal: "SIGKILL", by: "somebody" },
  { outcome: "timed_out" },
];

describe("a pause", () => {
  it("follows exactly the outcomes that pause a session", () => {
    for (const verdict of EVERY)
      expect(pauseAfter(verdict, 0, NOW) !== undefined, verdict.outcome).toBe(PAUSES.has(verdict.outcome));
  });

  it("lasts until the limit ends, and a little longer", () => {
    expect(minutes(limited(NOW + 90 * 60_000), 0)).toBe(90.5);
  });

  it("grows when no one says how long, up to an hour", () => {
    expect([0, 1, 2, 3, 50].map((pauses) => minutes(limited(), pauses))).toEqual([5, 15, 30, 60, 60]);
    expect([0, 1, 4, 9].map((pauses) => minutes({ outcome: "offline", said: "" }, pauses))).toEqual([
      0.5, 1, 10, 10,
    ]);
  });

  it("does not spin on a time that has passed", () => {
    expect([0, 1, 2].map((pauses) => minutes(limited(NOW - 1), pauses))).toEqual([5, 15, 30]);
  });

  it("does not spin on a time that is always a moment ahead", () => {
    expect(minutes(limited(NOW + 1000), 3)).toBe(60);
    expect(minutes(limited(NOW + 600 * 60_000), 3)).toBe(600);
  });

  it("is a person's matter when a key is refused", () => {
    expect(minutes({ outcome: "unauthorised", said: "log in" }, 0)).toBe("person");
  });
});
