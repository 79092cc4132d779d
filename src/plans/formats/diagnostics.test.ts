import { describe, expect, it } from "vitest";
import { collectDiagnostics, DIAGNOSTICS, MOST_OF_A_KIND, quote } from "./diagnostics.ts";

describe("the table of diagnostics", () => {
  const rows = Object.entries(DIAGNOSTICS);

  it("gives every kind a code of its own", () => {
    const codes = rows.map(([, { code }]) => code);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes).toEqual(codes.toSorted());
  });

  it.each(rows)("has for %s a name, a code and a hint that says something", (name, { code, hint }) => {
    expect(name).toMatch(/^plan\/[a-z-]+$/);
    expect(code).toMatch(/^P\d{3}$/);
    expect(hint).toMatch(/^[A-Z].{20,}\.$/);
  });
});

describe("a collector", () => {
  it("gives diagnostics in the order of the file", () => {
    const { report, all } = collectDiagnostics();
    report("plan/cycle", { line: 2, column: 1 }, () => "late");
    report("plan/no-steps", { line: 1, column: 9 }, () => "second");
    report("plan/unclosed", { line: 1, column: 2 }, () => "first");
    expect(all().map(({ message, name, code, severity }) => [message, name, code, severity])).toEqual([
      ["first", "plan/unclosed", "P020", "warning"],
      ["second", "plan/no-steps", "P001", "error"],
      ["late", "plan/cycle", "P006", "error"],
    ]);
  });

  it("keeps a page of each kind, counts the rest, and makes no message for it", () => {
    const { report, all } = collectDiagnostics();
    let made = 0;
    for (let line = 1; line <= 1000; line += 1) {
      report("plan/empty-item", { line, column: 1 }, () => {
        made += 1;
        return "x";
      });
    }
    report("plan/no-steps", { line: 1, column: 1 }, () => "y");
    expect(made).toBe(MOST_OF_A_KIND);
    expect(all()).toHaveLength(MOST_OF_A_KIND + 2);
    expect(all().at(-1)).toMatchObject({
      line: MOST_OF_A_KIND + 1,
      message: "From here on there are 900 more like it.",
    });
  });
});

describe("a page of one kind", () => {
  it("is complete without a word about more", () => {
    const { report, all } = collectDiagnostics();
    for (let line = 1; line <= MOST_OF_A_KIND; line += 1)
      report("plan/empty-item", { line, column: 1 }, () => "x");
    expect(all()).toHaveLength(MOST_OF_A_KIND);
  });
});

describe("a quotation", () => {
  it("is short, and not cut inside a character", () => {
    expect(quote("hull")).toBe("“hull”");
    expect(quote("x".repeat(80))).toBe(`“${"x".repeat(80)}”`);
    expect(quote("x".repeat(81))).toBe(`“${"x".repeat(79)}…”`);
    expect(quote("x".repeat(78) + "😀".repeat(9))).toBe(`“${"x".repeat(78)}…”`);
  });
});
