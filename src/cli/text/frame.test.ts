import { expect, it } from "vitest";
import { frame } from "./frame.ts";

/** What was written, with sequences as people name them. */
function drawn(columns: { now: number }) {
  const written: string[] = [];
  const redraw = frame(
    (text) => written.push(text.replaceAll("\x1b", "^")),
    () => columns.now,
  );
  return { written, redraw };
}

it("goes up over what it drew before, and clears below", () => {
  const { written, redraw } = drawn({ now: 80 });
  redraw(["one", "two"]);
  redraw(["three"]);
  redraw([]);
  redraw(["four"]);
  expect(written).toEqual(["^[2Kone\n^[2Ktwo\n^[0J", "^[2A^[2Kthree\n^[0J", "^[1A^[0J", "^[2Kfour\n^[0J"]);
});

it("goes up over rows that a narrower terminal has wrapped", () => {
  const columns = { now: 80 };
  const { written, redraw } = drawn(columns);
  redraw(["x".repeat(79), "short", ""]);
  columns.now = 30;
  redraw(["now"]);
  expect(written[1]).toMatch(/^\^\[5A/);
});

it("takes colours for nothing and wide characters for two", () => {
  const columns = { now: 80 };
  const { written, redraw } = drawn(columns);
  redraw(["\x1b[1m日本語日本\x1b[22m"]);
  columns.now = 10;
  redraw([]);
  expect(written[1]).toBe("^[1A^[0J");
});
