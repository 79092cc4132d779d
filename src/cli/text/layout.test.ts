import fc from "fast-check";
import { safeText } from "../../domain/safe-text.ts";
import { describe, expect, it } from "vitest";
import { bar, columns, displayWidth, foldedColumns, padEnd, shorten, truncate, wrap } from "./layout.ts";
import { colourPaint } from "./paint.ts";

describe("displayWidth", () => {
  it.each([
    ["", 0],
    ["plain", 5],
    ["naïve … “”", 10],
    ["Привет", 6],
    ["日本語", 6],
    ["한국어", 6],
    ["\u1112\u1161\u11ab", 2],
    ["ｆｕｌｌ", 8],
    ["ﾊﾝｶｸ", 4],
    ["e\u0301", 1],
    ["a\u0300\u0301\u0302b", 2],
    ["👍", 2],
    ["👍🏽", 2],
    ["👨‍👩‍👧‍👦", 2],
    ["🇩🇪", 2],
    ["❤️", 2],
    ["❤", 1],
    ["1️⃣", 2],
    ["⚠", 1],
    ["✅", 2],
    ["नमस्ते", 4],
    ["สวัสดี", 4],
    ["𠀀", 2],
    ["𝒳", 1],
    ["─│┌", 3],
    ["\u{fffd}", 1],
  ])("of %j is %d", (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  it("counts no column for colours", () => {
    const paint = colourPaint(80);
    expect(displayWidth(paint.bold("日本"))).toBe(4);
    expect(displayWidth(`${paint.red("a")}b${paint.dim("c")}`)).toBe(3);
  });
});

describe("truncate", () => {
  it("leaves what fits, to the last column", () => {
    expect(truncate("hello", 5)).toBe("hello");
    expect(truncate("日本", 4)).toBe("日本");
    expect(truncate("e\u0301e\u0301", 2)).toBe("e\u0301e\u0301");
  });

  it("cuts between characters", () => {
    expect(truncate("hello", 4)).toBe("hel…");
    expect(truncate("日本語", 5)).toBe("日本…");
    expect(truncate("日本語", 4)).toBe("日…");
    expect(truncate("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 3)).toBe("👨‍👩‍👧‍👦…");
    expect(truncate("ae\u0301x", 2)).toBe("a…");
  });

  it("has an answer for no room at all", () => {
    expect(truncate("日本", 1)).toBe("…");
    expect(truncate("a", 0)).toBe("");
    expect(truncate("a", -3)).toBe("");
    expect(truncate("", 0)).toBe("");
  });

  it("stops early in a long text", () => {
    const long = "日".repeat(50_000_000);
    expect(truncate(long, 5)).toBe("日日…");
  });

  it("never gives more than it was allowed, and never half a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat(30), (text, width) => {
        const cut = truncate(text, width);
        expect(displayWidth(cut)).toBeLessThanOrEqual(width);
        expect(cut).not.toMatch(/\p{Cs}/u);
        // What cannot be shown is replaced, whatever its width; the rest stays as it is.
        if (displayWidth(text) <= width && safeText(text) === text) expect(cut).toBe(text);
      }),
    );
  });
});

describe("wrap", () => {
  it("breaks at spaces", () => {
    expect(wrap("the quick brown fox", 10)).toEqual(["the quick", "brown fox"]);
    expect(wrap("日本語 日本語", 7)).toEqual(["日本語", "日本語"]);
  });

  it("keeps line ends and empty lines", () => {
    expect(wrap("a\n\nb c", 1)).toEqual(["a", "", "b", "c"]);
    expect(wrap("", 10)).toEqual([""]);
  });

  it("breaks a word that is wider than a line", () => {
    expect(wrap("see abcdefgh ij", 5)).toEqual(["see", "abcde", "fgh", "ij"]);
  });

  it("loses no character and makes no line too wide", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 2, max: 40 }), (text, width) => {
        const lines = wrap(text, width);
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
        expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(/[ \n]/g, ""));
      }),
    );
  });
});

describe("columns", () => {
  it("aligns cells of any width and leaves no spaces at the end", () => {
    expect(
      columns([
        ["a", "日本語", "x"],
        ["long", "é", ""],
        ["b", "👍"],
      ]),
    ).toBe(["a     日本語  x", "long  é", "b     👍"].join("\n"));
  });

  it("aligns painted cells by what is seen", () => {
    const paint = colourPaint(80);
    const table = columns([
      [paint.green("ok"), "1"],
      ["failed", "2"],
    ]);
    expect(table).toBe(`${paint.green("ok")}      1\nfailed  2`);
  });

  it("makes nothing of nothing", () => {
    expect(columns([])).toBe("");
  });

  it("pads by columns, and not at all when there is no room", () => {
    expect(padEnd("日", 4)).toBe("日  ");
    expect(padEnd("long", 2)).toBe("long");
  });
});

describe("foldedColumns", () => {
  const heads = [
    ["PATH", "BRANCH"],
    ["here", "pawl/plan"],
    [".", "main"],
  ];
  const tails = [
    ["STATE", "ACTIVE"],
    ["interrupted", "now"],
    ["", ""],
  ];

  it("is one table where that fits, to the last column", () => {
    const wide = ["PATH  BRANCH     STATE        ACTIVE", "here  pawl/plan  interrupted  now", ".     main"];
    expect(foldedColumns(heads, tails, 36)).toBe(wide.join("\n"));
  });

  it("takes two lines a row where it does not, and none for what is empty", () => {
    expect(foldedColumns(heads, tails, 35).split("\n")).toEqual([
      "PATH  BRANCH",
      "    STATE        ACTIVE",
      "here  pawl/plan",
      "    interrupted  now",
      ".     main",
    ]);
  });
});

describe("bar", () => {
  it.each([
    [0, 10, 10, "[----------]"],
    [3, 10, 10, "[###-------]"],
    [10, 10, 10, "[##########]"],
    [12, 10, 4, "[####]"],
    [0, 0, 4, "[----]"],
    [-1, 4, 4, "[----]"],
    [Number.NaN, 4, 4, "[----]"],
    [1, 2, 1, "[-]"],
    [1, 2, 0, "[]"],
  ])("shows %d of %d in %d cells as %s", (done, total, width, shown) => {
    expect(bar(done, total, width)).toBe(shown);
  });

  it("is never full before the end, never empty after the beginning", () => {
    expect(bar(999, 1000, 10)).toBe("[#########-]");
    expect(bar(1, 1000, 10)).toBe("[#---------]");
  });
});

describe("text that is not safe yet", () => {
  it("is measured as it will be shown", () => {
    expect(truncate("\x07".repeat(100), 5)).toBe("\u{fffd}\u{fffd}\u{fffd}\u{fffd}…");
    expect(truncate("a\x1b[2Jb", 2)).toBe("ab");
  });
});

describe("shorten", () => {
  it("keeps both ends of a name", () => {
    expect(shorten("rework-the-billing-of-orders-a1", 16)).toBe("rework-t…ders-a1");
    expect(shorten("step-1", 16)).toBe("step-1");
    expect(shorten("日本語日本語日本語", 9)).toBe("日本…本語");
  });

  it("never takes more columns than it may, whatever the name holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 40 }), (name, width) => {
        expect(displayWidth(shorten(name, width))).toBeLessThanOrEqual(width);
      }),
    );
  });
});
