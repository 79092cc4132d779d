import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HOSTILE_CHARACTERS, HOSTILE_SEQUENCES } from "../fixtures/fake-host.ts";
import { safeBlock, safeText } from "../../src/domain/safe-text.ts";

// Written out here and not shared with the code: a test that borrows the pattern it checks proves nothing.
const ACTING =
  /[\0-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\u{e0000}-\u{e0fff}]/u;

const hostile = fc.oneof(
  fc.constantFrom(...HOSTILE_CHARACTERS),
  fc.constantFrom(...HOSTILE_SEQUENCES),
  fc.string({ unit: "binary" }),
  fc.constantFrom("a", "[", "]", "m", ";", "0", "\\", "é", "日", "👨", "ک"),
);
const hostileText = fc.array(hostile).map((parts) => parts.join(""));

describe("safeText", () => {
  it("leaves honest text alone, in any language", () => {
    for (const text of [
      "plain ASCII ~!@#$%^&*()",
      "naïve Ünïcödé",
      "日本語 한국어 中文",
      "עברית العربية",
      "می‌خواهم", // a joiner between letters
      "क्‍ष",
      "👨‍👩‍👧‍👦 👍🏽 ❤️ 1️⃣ 🇩🇪 ✈︎",
      "e\u0301",
      "box ─│┌ … “quotes” — dash",
    ]) {
      expect(safeText(text)).toBe(text);
    }
  });

  it.each(HOSTILE_CHARACTERS.map((character) => [character.codePointAt(0)?.toString(16), character]))(
    "shows U+%s as a stand-in or drops it",
    (_, character) => {
      const shown = safeText(`a${character}b`);
      expect(shown).not.toContain(character);
      expect(["a\u{fffd}b", "ab", "a"]).toContain(shown);
    },
  );

  it.each([
    ["a clipboard write", "a\x1b]52;c;cm0gLXJmIH4=\x07b", "ab"],
    ["a title", "a\x1b]0;owned\x1b\\b", "ab"],
    ["a link", "\x1b]8;;https://example.com\x1b\\link\x1b]8;;\x1b\\", "link"],
    ["cursor moves", "a\x1b[2J\x1b[1;1Hb", "ab"],
    ["a colour", "a\x1b[31mb", "ab"],
    ["C1 forms", "a\x9b31mb\x9d0;x\x9cc", "abc"],
    ["the start of a string that never ends", "a\x1b]52;c;payload", "a52;c;payload"],
    ["a device string", "a\x1bP+q544e\x1b\\b", "ab"],
    ["an overwritten line", "safe\rover", "safe\u{fffd}over"],
    ["a reversed name", "exe.\u202egpj", "exe.\u{fffd}gpj"],
    ["a joiner that makes two names look the same", "ad\u200cmin", "ad\u{fffd}min"],
    ["hidden text in tags", "hi\u{e0068}\u{e0069}", "hi\u{fffd}\u{fffd}"],
    ["hidden text in variation selectors", "hi\u{e0100}\ufe01", "hi\u{fffd}\u{fffd}"],
  ])("takes out %s", (_, text, safe) => {
    expect(safeText(text)).toBe(safe);
  });

  it("does not let two halves of a sequence meet", () => {
    expect(safeText("\x1b\x1b[31m[31m")).not.toContain("\x1b");
    expect(safeText("\x1b]\x1b]0;x\x07[31m")).not.toContain("\x1b");
  });

  it("lets nothing through that acts, whatever it is given", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(safeText(text)).not.toMatch(ACTING);
      }),
      { numRuns: 3000 },
    );
  });

  it("changes nothing when it is applied again", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(safeText(safeText(text))).toBe(safeText(text));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    "\x9d",
    "\x1b]",
    "\x9b",
    "\x1b[",
    "\x1bP",
    "\x1b",
    "\x1b[0",
    "\x90\x1b",
    "\u200d",
    "\x1b[ ",
    "\x9d\x1b",
  ])("takes linear time for a long run of %j", (part) => {
    // Anything worse than linear would not end within the time that a test has.
    expect(safeText(`${part.repeat(300_000)}\x1bX`)).toBeDefined();
  });
});

describe("safeBlock", () => {
  it("keeps lines and tabs, and nothing else that acts", () => {
    expect(safeBlock("a\tb\nc\r\nd\re\x1b[1mf")).toBe("a\tb\nc\nd\u{fffd}ef");
  });

  it("does not let a sequence reach into the next line", () => {
    expect(safeBlock("a\x1b]0;title\nb\x07")).toBe("a0;title\nb\u{fffd}");
  });
});
