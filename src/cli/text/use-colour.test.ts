import { describe, expect, it } from "vitest";
import { useColour } from "./use-colour.ts";

describe("useColour", () => {
  it.each([
    ["a terminal", true, {}, false, true],
    ["a pipe", false, {}, false, false],
    ["NO_COLOR", true, { NO_COLOR: "1" }, false, false],
    ["NO_COLOR with any value", true, { NO_COLOR: "0" }, false, false],
    ["an empty NO_COLOR", true, { NO_COLOR: "" }, false, true],
    ["a dumb terminal", true, { TERM: "dumb" }, false, false],
    ["FORCE_COLOR on a pipe", false, { FORCE_COLOR: "1" }, false, true],
    ["FORCE_COLOR on a dumb terminal", true, { FORCE_COLOR: "1", TERM: "dumb" }, false, true],
    ["an empty FORCE_COLOR", false, { FORCE_COLOR: "" }, false, false],
    ["FORCE_COLOR=0", true, { FORCE_COLOR: "0" }, false, false],
    ["NO_COLOR against FORCE_COLOR", true, { NO_COLOR: "1", FORCE_COLOR: "1" }, false, false],
    ["--no-color on a terminal", true, {}, true, false],
    ["--no-color against FORCE_COLOR", false, { FORCE_COLOR: "1" }, true, false],
  ])("for %s", (_, isTerminal, env, refused, expected) => {
    expect(useColour(isTerminal, env, refused)).toBe(expected);
  });
});
