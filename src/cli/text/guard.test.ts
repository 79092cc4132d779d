import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HOSTILE_CHARACTERS, HOSTILE_SEQUENCES } from "../../../test/fixtures/fake-host.ts";
import { guard } from "./guard.ts";
import { colourPaint, plainPaint } from "./paint.ts";

const STYLES = ["bold", "dim", "red", "green", "yellow", "blue", "cyan"] as const;

const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...HOSTILE_CHARACTERS, ...HOSTILE_SEQUENCES, "\n", "\t", "\x1b[1m", "\x1b[39m"),
      fc.string({ unit: "binary" }),
    ),
  )
  .map((parts) => parts.join(""));

describe("guard", () => {
  it("lets every style of ours through", () => {
    const paint = colourPaint(80);
    for (const style of STYLES) {
      const text = `one ${paint[style]("two")}\n\tthree`;
      expect(guard(text, true)).toBe(text);
    }
  });

  it("lets no escape through without colour, our own included", () => {
    expect(guard(colourPaint(80).red("x"), false)).toBe("x");
    expect(guard(plainPaint(80).red("x\n"), false)).toBe("x\u{fffd}");
  });

  it("stops codes that are not ours", () => {
    expect(guard("a\x1b[8mb\x1b[0mc\x1b[38;5;1md\x1b[2Je\x1b[1;31mf", true)).toBe("abcdef");
    expect(guard("\x1b]52;c;AAAA\x07\x1b[1mbold\x1b[22m", true)).toBe("\x1b[1mbold\x1b[22m");
  });

  it("does not join halves of a code around one of ours", () => {
    expect(guard("\x1b\x1b[1m[2J", true)).toBe("\x1b[1m[2J");
    expect(guard("\x1b[\x1b[1m2J", true)).toBe("\x1b[1m2J");
  });

  it("passes only printable characters, newline, tab and our colours, whatever it is given", () => {
    fc.assert(
      fc.property(hostileText, fc.boolean(), (text, colour) => {
        const passed = guard(text, colour);
        const withoutOurs = colour ? passed.replaceAll(/\x1b\[(?:1|2|22|31|32|33|34|36|39)m/g, "") : passed;
        expect(withoutOurs).not.toMatch(
          /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]/u,
        );
      }),
      { numRuns: 3000 },
    );
  });
});
