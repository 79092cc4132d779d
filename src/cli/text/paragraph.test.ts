import { describe, expect, it } from "vitest";
import { plainPaint } from "./paint.ts";
import { paragraph } from "./paragraph.ts";

describe("paragraph", () => {
  it("starts its lines below each other, each within the terminal", () => {
    expect(paragraph("what is said takes more than a line of this narrow one", 10, 40).split("\n")).toEqual([
      "what is said takes more than a",
      "          line of this narrow one",
    ]);
  });

  it("stays within a terminal of 40 columns behind a date", () => {
    const lines = `${"x".repeat(23)}${paragraph("session s-1d8c2f75 is completed", 23, 40)}`.split("\n");
    expect(lines.filter((line) => line.length > 40)).toEqual([]);
  });

  it.each([
    [
      "between backticks",
      "look at it first with `pawl explain plan.md step-1`, then decide",
      "`pawl explain plan.md step-1`,",
    ],
    [
      "that the text ends with",
      "1 file put aside; restore with: pawl snapshot restore 3f9c2a --to rescued",
      "pawl snapshot restore 3f9c2a --to rescued",
    ],
  ])("keeps a command whole %s", (_, text, command) => {
    expect(
      paragraph(text, 2, 32)
        .split("\n")
        .map((line) => line.trim()),
    ).toContainEqual(expect.stringContaining(command));
  });

  it("breaks words that only look like a command", () => {
    expect(
      paragraph("the merge was refused: git says that there is a conflict in it", 0, 40).split("\n"),
    ).toHaveLength(2);
  });

  it("paints each line by itself, so that no line end is taken for foreign text", () => {
    const text = "Not installed: claude, codex, gemini, opencode";
    expect(paragraph(text, 2, 32, plainPaint(32).dim).split("\n")).toEqual([
      "Not installed: claude, codex,",
      "  gemini, opencode",
    ]);
  });
});
