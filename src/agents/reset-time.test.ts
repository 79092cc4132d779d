import { describe, expect, it } from "vitest";
import { growth } from "../../test/support/growth.ts";
import { epochMs, type OutputMoment, resetTimeIn } from "./reset-time.ts";

const at = (iso: string, timeZone = "UTC"): OutputMoment => ({ nowMs: Date.parse(iso), timeZone });
const NOON = at("2026-11-15T12:00:00Z");
const read = (text: string, moment: OutputMoment = NOON) => {
  const found = resetTimeIn(text, moment);
  return found === undefined ? undefined : new Date(found).toISOString();
};

describe("a reset time", () => {
  it.each([
    ["Claude AI usage limit reached|1794750000", "2026-11-15T13:40:00.000Z"],
    ['{"error":{"type":"usage_limit_reached","resets_at":1794750000}}', "2026-11-15T13:40:00.000Z"],
    ['"resetsAt": 1794750000000', "2026-11-15T13:40:00.000Z"],
    ['{"resets_in_seconds":13872}', "2026-11-15T15:51:12.000Z"],
    ["retry-after: 90", "2026-11-15T12:01:30.000Z"],
    ['"retryDelay": "34.074824224s"', "2026-11-15T12:00:35.000Z"],
    ["limit ends 2026-11-16T01:02:03Z.", "2026-11-16T01:02:03.000Z"],
    ["limit ends 2026-11-16 01:02:03+02:00", "2026-11-15T23:02:03.000Z"],
    ["try again in 5 days 22 hours 11 minutes.", "2026-11-21T10:11:00.000Z"],
    ["Your quota will reset after 2h15m30s.", "2026-11-15T14:15:30.000Z"],
    ["5 requests in 1 minute are allowed; your limit resets 2pm.", "2026-11-15T14:00:00.000Z"],
    ["Wait for about 2 minutes and 30 seconds.", "2026-11-15T12:02:30.000Z"],
    ["Please retry in 34.5s.", "2026-11-15T12:00:34.500Z"],
    ["You've hit your limit · resets 2pm (UTC)", "2026-11-15T14:00:00.000Z"],
    ["You've hit your limit · resets 4:50am (Europe/Rome)", "2026-11-16T03:50:00.000Z"],
    ["Your limit will reset at 3pm (America/Bogota).", "2026-11-15T20:00:00.000Z"],
    ["Limit reached · resets 11:30am (Asia/Calcutta) · /upgrade", "2026-11-16T06:00:00.000Z"],
    ["resets 15:30", "2026-11-15T15:30:00.000Z"],
    ["try again at 7:58 PM.", "2026-11-15T19:58:00.000Z"],
    ["or try again at Mar 17th, 2027 5:46 PM.", "2027-03-17T17:46:00.000Z"],
    ["Weekly limit reached · resets Nov 18 at 9am (Europe/Rome)", "2026-11-18T08:00:00.000Z"],
    ["resets Nov 18, 9am", "2026-11-18T09:00:00.000Z"],
    ["resets Mon 9am", "2026-11-16T09:00:00.000Z"],
    ["resets Sunday at 9am (UTC)", "2026-11-22T09:00:00.000Z"],
    ["resets at 6:24 PM GMT+5:30", "2026-11-15T12:54:00.000Z"],
    ["resets 5pm (UTC-8)", "2026-11-16T01:00:00.000Z"],
    ["resets 5pm +0200", "2026-11-15T15:00:00.000Z"],
    ["try again at 5pm PST", "2026-11-16T01:00:00.000Z"],
    ["try again at 5pm PT", "2026-11-16T01:00:00.000Z"],
    ["Your limit will reset at 9am CET.", "2026-11-16T08:00:00.000Z"],
    ["resets 3pm today", "2026-11-15T15:00:00.000Z"],
    ["2026-11-15T11:59:58.120Z error: limit reached · resets 2pm (UTC)", "2026-11-15T14:00:00.000Z"],
    ["2026-11-15 11:59:58 try again in 5 minutes", "2026-11-15T12:05:00.000Z"],
    ["[2026-11-15T12:00:00Z] quota used up until 2026-11-15T18:00:00Z", "2026-11-15T18:00:00.000Z"],
    ['{"time":"2026-11-15T11:00:00Z","reset_time":"2026-11-15T16:00:00Z"}', "2026-11-15T16:00:00.000Z"],
    ["2026-11-15T11:00:00Z quota; 2026-11-15T16:00:00Z", "2026-11-15T16:00:00.000Z"],
    ["resets 12am", "2026-11-16T00:00:00.000Z"],
    ["resets 12:30 p.m.", "2026-11-15T12:30:00.000Z"],
  ])("is found in %j", (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each([
    "Usage limit reached.",
    "try again 3 times",
    "resets 25:99",
    "resets 13pm",
    "try again in 3 parsecs",
    "it took 12 minutes in 3 hours",
    "resets_at: 12",
    "limit|1200000000",
    "2026-11-15T11:59:58Z usage limit reached",
    "try again at Foo 99th",
    "",
  ])("is not found in %j", (text) => {
    expect(read(text)).toBeUndefined();
  });

  it("is meant in the reader's zone when it names none", () => {
    expect(read("resets 3pm", at("2026-11-15T12:00:00Z", "America/New_York"))).toBe(
      "2026-11-15T20:00:00.000Z",
    );
    expect(read("limit ends 2026-11-15 20:00", at("2026-11-15T12:00:00Z", "Asia/Tokyo"))).toBe(
      "2026-11-15T11:00:00.000Z",
    );
  });

  it("falls back to the reader's zone when the named one does not exist", () => {
    expect(read("resets 3pm (Mars/Olympus_Mons)")).toBe("2026-11-15T15:00:00.000Z");
  });

  it("that passed a moment ago is that moment, not tomorrow's", () => {
    expect(read("resets 12pm", at("2026-11-15T12:05:00Z"))).toBe("2026-11-15T12:00:00.000Z");
    expect(read("resets 12pm", at("2026-11-15T12:20:00Z"))).toBe("2026-11-16T12:00:00.000Z");
  });

  it("keeps to the clocks of its zone on the day they change", () => {
    // Rome goes from UTC+2 to UTC+1 on 25 October 2026 at 03:00 local time.
    expect(read("resets 9am (Europe/Rome)", at("2026-10-24T20:00:00Z"))).toBe("2026-10-25T08:00:00.000Z");
    // New York skips 02:30 on 14 March 2027.
    expect(read("resets 2:30am (America/New_York)", at("2027-03-14T01:00:00Z"))).toBe(
      "2027-03-14T07:30:00.000Z",
    );
  });

  it("without a year is the next one, across the end of the year", () => {
    expect(read("resets Jan 3, 9am", at("2026-12-30T12:00:00Z"))).toBe("2027-01-03T09:00:00.000Z");
  });

  it("is looked for in linear time", () => {
    const hostile = [
      (size: number) => `resets ${"1".repeat(size)}`,
      (size: number) => `again in ${"9 d ".repeat(size / 4)}`,
      (size: number) => "again ".repeat(size / 6),
      (size: number) => "|".repeat(size),
    ];
    const most = 9;
    for (const text of hostile) {
      const [small, large] = [text(60_000), text(240_000)];
      expect(
        growth(
          () => read(small),
          () => read(large),
          most,
        ),
      ).toBeLessThan(most);
    }
  });
});

describe("a number that means an instant", () => {
  it.each([
    [1_794_750_000, 1_794_750_000_000],
    [1_794_750_000_000, 1_794_750_000_000],
    ["1794750000", 1_794_750_000_000],
    [1_794_750_000.5, 1_794_750_000_500],
  ])("%j is %j", (value, expected) => {
    expect(epochMs(value, NOON)).toBe(expected);
  });

  it.each([0, -1, Number.NaN, Infinity, "", "soon", null, undefined, 12, 1_200_000_000, {}])(
    "%j is none",
    (value) => {
      expect(epochMs(value, NOON)).toBeUndefined();
    },
  );
});
