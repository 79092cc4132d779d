import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readJsonDocument } from "./read-json-document.ts";

const never = () => new Promise<never>(() => undefined);

/** A pipe that says these pieces and then stays open, or ends. */
function pipe(pieces: readonly string[], isOpen: boolean) {
  const left = pieces.map((piece) => Buffer.from(piece));
  return () => (left.length > 0 || !isOpen ? Promise.resolve(left.shift()) : never());
}

describe("the event of a hook", () => {
  it("is read up to the end of its document, though the pipe stays open", async () => {
    for (const pieces of [['{"a":1}'], ['{"a', '":"}\\"', '"', "}", "\n"], ['[{"a":"]"}]']]) {
      const { text, isCutOff } = await readJsonDocument({ next: pipe(pieces, true), after: never });
      expect(isCutOff).toBe(false);
      expect(() => JSON.parse(text!) as unknown).not.toThrow();
    }
  });

  it("is read however it is cut into pieces", async () => {
    const cut = fc.tuple(fc.jsonValue(), fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }));
    await fc.assert(
      fc.asyncProperty(cut, async ([value, sizes]) => {
        const whole = Buffer.from(JSON.stringify({ value }));
        const left: Buffer[] = [];
        for (let at = 0, turn = 0; at < whole.length; turn += 1) {
          const size = sizes[turn % sizes.length]!;
          left.push(whole.subarray(at, at + size));
          at += size;
        }
        const next = () => (left.length > 0 ? Promise.resolve(left.shift()) : never());
        const { text } = await readJsonDocument({ next, after: never });
        expect(JSON.parse(text!)).toEqual(JSON.parse(whole.toString()));
      }),
    );
  });

  it("ends with the pipe, whatever was said", async () => {
    for (const pieces of [[], ["{"], ["nonsense"], ['"}']]) {
      const { text, isCutOff } = await readJsonDocument({ next: pipe(pieces, false), after: never });
      expect({ text, isCutOff }).toEqual({ text: pieces[0], isCutOff: false });
    }
  });

  it("ends when the time is over, and says nothing then", async () => {
    for (const pieces of [[], ["{"], ["nonsense"]]) {
      const asked: number[] = [];
      const said = await readJsonDocument({
        next: pipe(pieces, true),
        after: async (ms) => void asked.push(ms),
      });
      expect(said).toEqual({ text: undefined, isCutOff: true });
      expect(asked).toEqual([5000]);
    }
  });

  it("is forgotten when it is too large, to its end", async () => {
    const pieces = ["{", ...Array.from({ length: 80 }, () => " ".repeat(65_536)), "}"];
    const { text } = await readJsonDocument({ next: pipe(pieces, true), after: never });
    expect(text).toBeUndefined();
  });
});
