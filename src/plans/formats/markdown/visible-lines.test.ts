import { describe, expect, it } from "vitest";
import { MAX_LINE_LENGTH, visibleLines } from "./visible-lines.ts";

/** The lines in which something may be structure. */
const visible = (...lines: readonly string[]): readonly string[] => {
  const plan = visibleLines(lines.join("\n"));
  return plan.lines.filter((_, index) => plan.hidden[index] === 0);
};

describe("lines", () => {
  it("end with LF, CRLF or CR, and a byte order mark is none of them", () => {
    expect(visibleLines("\ufeffa\r\nb\nc\rd").lines).toEqual(["a", "b", "c", "d"]);
  });

  it("are not read beyond the limit", () => {
    const plan = visibleLines(`a\n${"x".repeat(MAX_LINE_LENGTH)}\n${"x".repeat(MAX_LINE_LENGTH + 1)}`);
    expect(plan.tooLong).toEqual([2]);
    expect([...plan.hidden]).toEqual([0, 0, 1]);
  });
});

describe("a fence", () => {
  it.each(["```", "~~~", "`````", "```js", "~~~ `js`", "   ```"])(
    "hides what is between, opened by %j",
    (open) => {
      const mark = open.trim().replace(/[^`~].*/s, "");
      expect(visible("a", open, "#### Step 1: x", mark, "b")).toEqual(["a", "b"]);
    },
  );

  it("ends only at a mark of its own kind, at least as long, with nothing behind it", () => {
    expect(visible("````", "```", "~~~~", "```` js", "````x", "`````", "b")).toEqual(["b"]);
  });

  it("may start in a list item", () => {
    expect(visible("- ```sh", "  x", "  ```", "b")).toEqual(["b"]);
    expect(visible("- [ ] a", "  ```sh", "  x", "  ```", "b")).toEqual(["- [ ] a", "b"]);
  });

  it("is not a line with code in it", () => {
    expect(visible("```code``` and text", "b")).toEqual(["```code``` and text", "b"]);
    expect(visible("``", "b")).toEqual(["``", "b"]);
  });

  it("ends with its list item when it was not closed", () => {
    const plan = visibleLines("- [ ] a\n  ```sh\n  x\n- [ ] b\n  ```sh\n  y\n## End\n");
    expect(plan.lines.filter((_, index) => plan.hidden[index] === 0)).toEqual([
      "- [ ] a",
      "- [ ] b",
      "## End",
      "",
    ]);
    expect(plan.unclosed.map(({ start, end }) => [start, end])).toEqual([
      [1, 3],
      [4, 6],
    ]);
  });

  it("keeps content of a list item that is not indented as it should be", () => {
    expect(visible("- [ ] a", "  ```sh", "# a comment", "make", "  ```", "b")).toEqual(["- [ ] a", "b"]);
  });

  it("hides all that follows when it stands outside a list and is never closed", () => {
    const plan = visibleLines("a\n```\n#### Step 1: x\n- [ ] y\n## End");
    expect([...plan.hidden]).toEqual([0, 1, 1, 1, 1]);
    expect(plan.unclosed).toEqual([{ what: "fence", start: 1, end: 5, steps: 1 }]);
  });
});

describe("a comment", () => {
  it("hides one line or many", () => {
    expect(visible("a", "<!-- x -->", "b", "<!--", "#### Step 1: x", "-->", "c")).toEqual(["a", "b", "c"]);
  });

  it("does not start in the middle of a line", () => {
    expect(visible("text `<!--` here", "b")).toEqual(["text `<!--` here", "b"]);
  });

  it("does not start inside a fence, nor a fence inside it", () => {
    expect(visible("```", "<!--", "```", "b")).toEqual(["b"]);
    expect(visible("<!--", "```", "-->", "b")).toEqual(["b"]);
  });

  it("is reported when it is never closed", () => {
    expect(visibleLines("a\n<!-- b\n### Step 1: x\n### Step 2: y").unclosed).toEqual([
      { what: "comment", start: 1, end: 4, steps: 2 },
    ]);
  });
});

describe("front matter", () => {
  it("is hidden with its marks", () => {
    expect(visible("---", "title: x", "---", "a")).toEqual(["a"]);
    expect(visible("---", "title: x", "...", "a")).toEqual(["a"]);
  });

  it("is only a rule when it is not closed, or does not come first", () => {
    expect(visible("---", "a")).toEqual(["---", "a"]);
    expect(visible("---", "", "### Step 1: a", "---")).toEqual(["---", "", "### Step 1: a", "---"]);
    expect(visible("a", "---", "b", "---")).toEqual(["a", "---", "b", "---"]);
  });
});

describe("front matter", () => {
  const isFront = (...lines: readonly string[]): boolean =>
    visibleLines(["---", ...lines, "---", "", "# Plan"].join("\n")).hidden[1] === 1;

  it.each([
    [["title: a"]],
    [["# a comment", "title: a"]],
    [["todos:", "  - id: a", "    content: b"]],
    [['"quoted name": a']],
    [["- a", "- b"]],
  ])("holds fields: %j", (lines) => expect(isFront(...lines)).toBe(true));

  it.each([
    [["# Plan", "", "Words of it."]],
    [["Note: words", "", "- [ ] a box"]],
    [["### Task 1: A", "- [x] a box"]],
  ])("is none where a plan stands between two rules: %j", (lines) => expect(isFront(...lines)).toBe(false));
});
