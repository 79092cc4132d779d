import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseAst } from "rolldown/parseAst";
import { expect, it } from "vitest";
import { readTests } from "../../src/verification/tests/read-tests.ts";
import { growth } from "../support/growth.ts";

const ROOT = fileURLToPath(new URL("../../src/", import.meta.url));

/** One sign or class, such as `\s`, `[ \t]` or `-`. */
const ONE = String.raw`\\.|\[(?:\\.|[^\]\\])+\]|[^\\()[\]{}|^$?*+.]`;

/** Shapes that try every split of a long run, or begin anew at each of its signs. */
const SLOW = {
  // `\s*-?\s*x`: two loops share a run when what stands between them is left out. Write `\s*(?:-\s*)?x`.
  "two loops with something optional between": new RegExp(
    String.raw`(${ONE})[*+](?:${ONE}|\((?:${ONE}|[?:*+.|{},])*\))\?\1[*+]`,
  ),
  // `-+$` in `-----x`. Write `(?<!-)-+$`.
  "a loop that begins anywhere and must reach the end": new RegExp(
    String.raw`^\(?(?:${ONE})[*+](?:${ONE}|\\.|[()?])*\$$|[|](?:${ONE})[*+]\$$`,
  ),
  // `(?:\s+|x)*`: exponential. Write `(?:\s|x)*`.
  "a loop in a loop": /\((?:\?:)?(?:\\s|\\w|\\d|\[[^\]]+\])[*+](?:\|[^()]*)?\)[*+]/,
};

/** A line of code, not of a comment: parsing the others would take most of the time. */
const MAY_HAVE_A_LOOP = /^(?!\s*(?:\/?\*|\/\/)).*\/.*[*+].*\//m;

function patternsIn(given: unknown, found: (pattern: string) => void): void {
  if (typeof given !== "object" || given === null) return;
  const { regex } = given as { readonly regex?: { readonly pattern: string } };
  if (regex) found(regex.pattern);
  for (const value of Object.values(given)) patternsIn(value, found);
}

const slownessOf = (pattern: string): readonly string[] =>
  Object.entries(SLOW).flatMap(([what, shape]) => (shape.test(pattern) ? [what] : []));

it.each([
  String.raw`^\s*[-*]?\s*_Requirements:`,
  String.raw`^(\s*(?:[-*+]|\d+[.)])?\s*\[)[xX~-]\]`,
  String.raw`\/+$`,
  String.raw`[\r\n]+$`,
  String.raw`\s*\*$`,
  String.raw`^-+|-+$`,
  String.raw`\d+[a-z]?$`,
  String.raw`(?:[ \t\r\n]+|\/\/[^\n]*|\/\*[^]*?\*\/)*(?=,)`,
])("knows %s for slow", (pattern) => {
  expect(slownessOf(pattern)).not.toEqual([]);
});

it("no pattern of the source has a shape that takes quadratic time", () => {
  const slow = readdirSync(ROOT, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .flatMap((file) => {
      const source = readFileSync(ROOT + file, "utf8");
      const found: string[] = [];
      if (!MAY_HAVE_A_LOOP.test(source)) return found;
      patternsIn(parseAst(source, { lang: "ts" }), (pattern) => {
        for (const what of slownessOf(pattern)) found.push(`${file}: /${pattern}/ is ${what}`);
      });
      return found;
    });
  expect(slow).toEqual([]);
});

it.each([
  "\n",
  "/*",
  "test.",
  "assert.",
  "it.a.",
  "#[test ",
  "#[test]",
  "[Fact ",
  "@Test\n",
  "func Test(\n",
  "def test(\n",
])("a test file full of %j is read in time that grows with its length", (piece) => {
  const read = (times: number) => () => readTests("a.test.ts", `${piece.repeat(times)}x`);
  expect(growth(read(2000), read(8000), 9)).toBeLessThan(9);
});
