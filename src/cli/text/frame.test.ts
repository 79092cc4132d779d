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
  expect(written).toEqual([
    "\r^[2K\n^[2Kone\n^[2Ktwo\n^[0J",
    "\r^[3A^[2K\n^[2Kthree\n^[0J",
    "\r^[2A^[0J",
    "\r^[2K\n^[2Kfour\n^[0J",
  ]);
});

it("goes up over rows that a narrower terminal has wrapped", () => {
  const columns = { now: 80 };
  const { written, redraw } = drawn(columns);
  redraw(["x".repeat(79), "short", ""]);
  columns.now = 30;
  redraw(["now"]);
  expect(written[1]).toMatch(/^\r\^\[6A/);
});

it("takes colours for nothing and wide characters for two", () => {
  const columns = { now: 80 };
  const { written, redraw } = drawn(columns);
  redraw(["\x1b[1m日本語日本\x1b[22m"]);
  columns.now = 10;
  redraw([]);
  expect(written[1]).toBe("\r^[2A^[0J");
});

/** As much of a terminal as a frame needs: rows of text, and a cursor that keys move too. */
function screen() {
  const rows: string[] = [""];
  let row = 0;
  let column = 0;
  const put = (text: string) => {
    rows[row] =
      (rows[row] ?? "").padEnd(column).slice(0, column) + text + rows[row]!.slice(column + text.length);
    column += text.length;
  };
  const down = () => {
    row += 1;
    column = 0;
    rows[row] ??= "";
  };
  const show = (text: string) => {
    // oxlint-disable-next-line no-control-regex -- that is what a terminal acts on
    for (const part of text.match(/\x1b\[\d+[AJK]|\r|\n|[^\x1b\r\n]+/g) ?? []) {
      const up = /\[(\d+)A/.exec(part);
      if (up) row = Math.max(0, row - Number(up[1]));
      else if (part.endsWith("[2K")) rows[row] = "";
      else if (part.endsWith("[0J")) {
        rows[row] = rows[row]!.slice(0, column);
        rows.length = row + 1;
      } else if (part === "\r") column = 0;
      else if (part === "\n") down();
      else put(part);
    }
  };
  return { show, shown: () => rows.join("\n") };
}

it("is drawn whole and once, whatever is typed into it", () => {
  const { show, shown } = screen();
  const redraw = frame(show, () => 80);
  const bar = ["plan.md [##--] 2/4", "[1] step-3 implement"];
  show("a line that stays\n");
  redraw(bar);
  for (const typed of ["\n", "typed ahead", "pawl status\n"]) {
    show(typed);
    redraw(bar);
    expect(shown()).toMatch(/^a line that stays\n+plan\.md \[##--\] 2\/4\n\[1\] step-3 implement\n$/);
  }
  redraw([]);
  expect(shown().trimEnd()).toBe("a line that stays");
});
