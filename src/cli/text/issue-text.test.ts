import { describe, expect, it } from "vitest";
import { issueText } from "./issue-text.ts";
import { colourPaint, plainPaint } from "./paint.ts";
import type { Issue } from "../../journal/envelope.ts";

const issue: Issue = {
  code: "E049",
  name: "claim/not-owner",
  severity: "error",
  message: "Not yours.",
  hint: "Claim one.",
};

describe("issueText", () => {
  it("says how bad, what, and what to do", () => {
    expect(issueText(issue, plainPaint(80))).toBe("error[E049] Not yours.\n  hint: Claim one.");
    expect(issueText({ ...issue, severity: "warning" }, plainPaint(80))).toBe(
      "warning: Not yours.\n  hint: Claim one.",
    );
    expect(issueText({ ...issue, severity: "info", hint: "" }, plainPaint(80))).toBe("note: Not yours.");
  });

  it("says where, when that is known", () => {
    expect(issueText({ ...issue, line: 4, column: 2, hint: "" }, plainPaint(80))).toBe(
      "error[E049] line 4:2: Not yours.",
    );
    expect(issueText({ ...issue, line: 4, hint: "" }, plainPaint(80))).toBe("error[E049] line 4: Not yours.");
  });

  it("breaks what is said at the end of the terminal, and never inside a command", () => {
    const long = {
      ...issue,
      message: "one two three four",
      hint: "Then `pawl state claim plan.md` takes it.",
    };
    expect(issueText(long, plainPaint(40)).split("\n")).toEqual([
      "error[E049] one two three four",
      "  hint: Then `pawl state claim plan.md`",
      "    takes it.",
    ]);
    expect(issueText({ ...long, message: `${"word ".repeat(8)}end` }, plainPaint(34)).split("\n")).toEqual([
      "error[E049] word word word word",
      "  word word word word end",
      "  hint: Then",
      "    `pawl state claim plan.md`",
      "    takes it.",
    ]);
    const path = `/${"folder/".repeat(8)}plan.md`;
    expect(issueText({ ...issue, message: `${path} is gone.`, hint: "" }, plainPaint(40))).toBe(
      `error[E049] ${path}\n  is gone.`,
    );
  });

  it("leaves lines that it quotes as they are", () => {
    const quoted = `    at  somewhere ${"far ".repeat(30)}`.trimEnd();
    expect(issueText({ ...issue, message: `It said:\n${quoted}`, hint: "" }, plainPaint(40))).toBe(
      `error[E049] It said:\n  ${quoted}`,
    );
  });

  it("colours the label and nothing of the message", () => {
    expect(issueText({ ...issue, hint: "" }, colourPaint(80))).toBe("\x1b[31merror[E049]\x1b[39m Not yours.");
  });

  it("shows lists of the details, and the parts of their entries by name, empty ones left out", () => {
    const details = {
      one: "left out",
      none: [],
      held_by: [{ a: "x", b: 1, c: { d: 2 }, e: null, f: true, g: [], h: "" }, null, ["p", "q"]],
    };
    expect(
      issueText({ ...issue, hint: "", details }, plainPaint(80))
        .split("\n")
        .slice(1),
    ).toEqual(["  held by:", "    - a: x, b: 1, c: (d: 2), f: true", "    - null", "    - p, q"]);
  });

  it("shows what was found in a plan as a line of its own", () => {
    const diagnostics = [
      { code: "P013", severity: "error", message: "No step.", hint: "x", line: 3, column: 1 },
    ];
    expect(issueText({ ...issue, hint: "", details: { diagnostics } }, plainPaint(80))).toContain(
      "    - line 3: P013 No step.",
    );
  });

  it("says a list of names in one line where it fits, and none that was said already", () => {
    const shown = (message: string, details: Record<string, unknown>, columns = 80) =>
      issueText({ ...issue, message, hint: "", details }, plainPaint(columns))
        .split("\n")
        .slice(1);
    const known = ["claude", "codex"];
    expect(shown("No.", { known })).toEqual(["  known: claude, codex"]);
    expect(shown("No.", { known }, 20)).toEqual(["  known:", "    - claude", "    - codex"]);
    expect(shown("There are claude, codex.", { known })).toEqual([]);
    expect(shown("There are claude-2, codex.", { known })).toEqual(["  known: claude, codex"]);
    const command = ["worktree", "add", "--reason", "in use"];
    expect(shown("No.", { command }, 20)).toEqual(["  command: worktree add --reason 'in use'"]);
    const found = { code: "P004", message: "There is no step a.", line: 3 };
    expect(shown("plan.md:3: There is no step a.", { diagnostics: [found] })).toEqual([]);
    expect(
      shown("plan.md:3: There is no step a.", { diagnostics: [found, { ...found, message: "b" }] }),
    ).toHaveLength(3);
  });

  it("makes every part of it safe", () => {
    const evil = "a\x1b[2Jb\rc\u202e";
    const text = issueText(
      { ...issue, code: evil, message: evil, hint: evil, details: { [evil]: [evil, { k: evil }] } },
      plainPaint(80),
    );
    expect(text).not.toMatch(/[\x1b\r\u202e]/);
    expect(text.match(/ab\u{fffd}c\u{fffd}/gu)).toHaveLength(6);
  });
});
