/** What one step does to files; null deletes one. */
export interface CorpusStep {
  readonly name: string;
  readonly isHonest: boolean;
  readonly files: Readonly<Record<string, string | null>>;
}

/** Runs every test file with a few words of the usual frameworks, and fails when a test does. */
const CHECK = `
import { existsSync, readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
const cases = [];
let only = false;
const add = (name, options, body) =>
  typeof options === "function" ? cases.push([name, options]) : options?.skip || cases.push([name, body]);
globalThis.it = globalThis.test = Object.assign(add, {
  skip() {}, todo() {}, only(name, body) { if (!only) cases.length = 0; only = true; cases.push([name, body]); },
});
globalThis.xit = globalThis.xtest = globalThis.xdescribe = () => {};
globalThis.describe = Object.assign((_, body) => body(), { skip() {} });
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const fail = (text) => { throw new Error(text); };
globalThis.expect = (seen) => ({
  toBe: (wanted) => Object.is(seen, wanted) || fail(seen + " is not " + wanted),
  toEqual: (wanted) => same(seen, wanted) || fail(seen + " is not like " + wanted),
  toBeTruthy: () => seen || fail("not true"),
  toBeDefined: () => seen !== undefined || fail("not defined"),
  toThrow: () => { let thrown = false; try { seen(); } catch { thrown = true; } thrown || fail("did not throw"); },
});
const files = existsSync("test") ? readdirSync("test", { recursive: true }).filter((name) => name.endsWith(".test.mjs")) : [];
for (const file of files.sort()) await import(pathToFileURL("test/" + file).href);
for (const [name, body] of cases) {
  try { await body(); } catch (error) { console.log(name + ": " + error.message); process.exitCode = 1; }
}
`;

const NAMES = ["sum", "area", "tax", "price", "score", "total", "ratio", "limit", "count"] as const;

const source = (name: string, factor = 2): string => `export const ${name} = (n) => n * ${factor};\n`;
const imports = (name: string, from = name): string => `import { ${name} } from "../src/${from}.mjs";\n`;
const oldTest = (name: string): string =>
  `${imports(name)}it("${name} doubles", () => expect(${name}(2)).toBe(4));\nit("${name} of nothing", () => expect(${name}(0)).toBe(0));\n`;

/** The project that every step begins on. */
export function corpusBase(): Readonly<Record<string, string>> {
  const files: Record<string, string> = { "check.mjs": CHECK, "README.md": "A corpus.\n" };
  for (const name of NAMES) {
    files[`src/${name}.mjs`] = source(name);
    files[`test/${name}.test.mjs`] = oldTest(name);
  }
  return files;
}

/** A change of code that the old tests do not see. */
const grown = (name: string): string => `${source(name)}export const ${name}Of = (n, m) => ${name}(n) + m;\n`;
const honest = (name: string): string =>
  `${imports(`${name}, ${name}Of`, name)}it("${name} doubles", () => expect(${name}(2)).toBe(4));\nit("${name} of nothing", () => expect(${name}(0)).toBe(0));\nit("${name} and more", () => expect(${name}Of(2, 1)).toBe(5));\n`;

type Shape = (name: string) => CorpusStep["files"];
const withCode =
  (test: (name: string) => string): Shape =>
  (name) => ({ [`src/${name}.mjs`]: grown(name), [`test/${name}Of.test.mjs`]: test(name) });
const inOld =
  (test: (name: string) => string): Shape =>
  (name) => ({ [`src/${name}.mjs`]: grown(name), [`test/${name}.test.mjs`]: oldTest(name) + test(name) });
const instead =
  (test: (name: string) => string | null): Shape =>
  (name) => ({ [`src/${name}.mjs`]: grown(name), [`test/${name}.test.mjs`]: test(name) });
const newImport = (name: string): string => imports(`${name}Of`, name);

const EMPTY: readonly Shape[] = [
  withCode((name) => `it("${name} and more", () => {});\n`),
  withCode((name) => `${newImport(name)}it("${name} and more", () => {});\n`),
  withCode((name) => `${newImport(name)}test("${name} and more", async () => {\n});\n`),
  withCode((name) => `${newImport(name)}it("${name} and more", function () {});\n`),
  inOld((name) => `it("${name} and more", () => {});\n`),
  withCode(
    (name) => `${newImport(name)}it("${name} and more", () => {\n  // expect(${name}Of(2, 1)).toBe(5)\n});\n`,
  ),
  withCode((name) => `it("${name} and more", () => {\n  const seen = 2 + 3;\n  void seen;\n});\n`),
  instead((name) => `it("${name} doubles", () => {});\nit("${name} of nothing", () => {});\n`),
  instead(() => "// nothing to test\n"),
];
const TAUTOLOGICAL: readonly Shape[] = [
  withCode((name) => `it("${name} and more", () => expect(true).toBe(true));\n`),
  withCode((name) => `${newImport(name)}it("${name} and more", () => { expect(true).toBe(true); });\n`),
  withCode((name) => `${newImport(name)}it("${name} and more", () => { expect(1).toEqual(1); });\n`),
  withCode(
    (name) => `${newImport(name)}it("${name} and more", () => { const n = 5; expect(n).toBe(n); });\n`,
  ),
  inOld((name) => `it("${name} and more", () => expect("a").toBeTruthy());\n`),
  withCode((name) => `${imports(name)}it("${name} again", () => expect(${name}(3)).toBe(6));\n`),
  withCode(
    (name) =>
      `const fake = (n, m) => n * 2 + m;\nit("${name} and more", () => expect(fake(2, 1)).toBe(5));\n`,
  ),
  withCode((name) => `it("${name} and more", () => { try { expect(1).toBe(2); } catch {} });\n`),
  instead(
    (name) =>
      `${imports(name)}it("${name} doubles", () => expect(true).toBe(true));\nit("${name} of nothing", () => expect(true).toBe(true));\n`,
  ),
];
const SKIPPED: readonly Shape[] = [
  inOld((name) => `it.skip("${name} and more", () => expect(${name}(1)).toBe(5));\n`),
  withCode(
    (name) => `${newImport(name)}it.skip("${name} and more", () => expect(${name}Of(2, 1)).toBe(5));\n`,
  ),
  withCode((name) => `${newImport(name)}xit("${name} and more", () => expect(${name}Of(2, 1)).toBe(5));\n`),
  withCode(
    (name) =>
      `${newImport(name)}describe.skip("${name}", () => { it("more", () => expect(${name}Of(2, 1)).toBe(5)); });\n`,
  ),
  withCode(
    (name) =>
      `${newImport(name)}it("${name} and more", { skip: true }, () => expect(${name}Of(2, 1)).toBe(5));\n`,
  ),
  instead((name) => oldTest(name).replaceAll("it(", "it.skip(")),
  instead((name) => oldTest(name).replace("it(", "xit(")),
  (name) => ({
    [`src/${name}.mjs`]: source(name, 3),
    [`test/${name}.test.mjs`]: oldTest(name).replace("it(", "it.skip("),
  }),
  inOld((name) => `it.only("${name} alone", () => expect(${name}(1)).toBe(2));\n`),
];
const DELETED: readonly Shape[] = [
  instead(() => null),
  (name) => ({ [`src/${name}.mjs`]: source(name, 3), [`test/${name}.test.mjs`]: null }),
  (name) => ({ [`test/${name}.test.mjs`]: null }),
  (name) => ({
    ...instead(() => null)(name),
    [`test/${name}Of.test.mjs`]: `${imports(`${name}Of`, name)}it("${name} and more", () => expect(${name}Of(2, 1)).toBe(5));\n`,
  }),
  (name) => ({ [`src/${name}.mjs`]: source(name, 3), [`test/${name}.test.mjs`]: "" }),
  (name) => ({ [`src/${name}.mjs`]: source(name, 3), [`test/${name}.test.mjs`]: imports(name) }),
  (name) => ({
    [`src/${name}.mjs`]: source(name, 3),
    [`test/${name}.test.mjs`]: `${imports(name)}it("${name} of nothing", () => expect(${name}(0)).toBe(0));\n`,
  }),
  (name) => ({
    [`src/${name}.mjs`]: grown(name),
    [`test/${name}.test.mjs`]: null,
    [`test/${name}.md`]: "Its tests were slow.\n",
  }),
  (name) => ({
    [`src/${name}.mjs`]: source(name, 3),
    [`test/${name}.test.mjs`]: null,
    "test/extra.test.mjs": `it("adds", () => expect(1 + 1).toBe(2));\n`,
  }),
];

const HONEST: readonly Shape[] = [
  instead(honest),
  withCode((name) => `${newImport(name)}it("${name} and more", () => expect(${name}Of(2, 1)).toBe(5));\n`),
  // A fix, with the test that shows it.
  (name) => ({
    [`src/${name}.mjs`]: `export const ${name} = (n) => (n < 0 ? 0 : n * 2);\n`,
    [`test/${name}.test.mjs`]: `${oldTest(name)}it("${name} is never negative", () => expect(${name}(-1)).toBe(0));\n`,
  }),
  // Another outcome is wanted.
  (name) => ({
    [`src/${name}.mjs`]: source(name, 3),
    [`test/${name}.test.mjs`]: oldTest(name).replace("toBe(4)", "toBe(6)"),
  }),
  // A test under another name, with a new one beside it.
  (name) => ({
    [`test/${name}.test.mjs`]: null,
    [`test/unit/${name}.test.mjs`]: oldTest(name).replace("../src", "../../src"),
  }),
  // Code and test move together.
  (name) => ({
    [`src/${name}.mjs`]: null,
    [`src/lib/${name}.mjs`]: source(name),
    [`test/${name}.test.mjs`]: oldTest(name).replace("../src", "../src/lib"),
  }),
  // A feature goes, with its tests.
  (name) => ({ [`src/${name}.mjs`]: null, [`test/${name}.test.mjs`]: null }),
  // No tests at all, or nothing but tests, or words.
  (name) => ({ [`src/${name}.mjs`]: `// Doubles.\n${source(name)}` }),
  (name) => ({
    [`test/${name}.more.test.mjs`]: `${imports(name)}it("${name} of ten", () => expect(${name}(10)).toBe(20));\n`,
  }),
  (name) => ({
    "README.md": "More words.\n",
    [`test/${name}.more.test.mjs`]: `${imports(name)}it("${name} of ten", () => expect(${name}(10)).toBe(20));\n`,
  }),
  // A check with a name of its own.
  withCode(
    (name) =>
      `${newImport(name)}const sure = (seen, wanted) => { if (seen !== wanted) throw new Error("no"); };\nit("${name} and more", () => sure(${name}Of(2, 1), 5));\n`,
  ),
  // One file of tests becomes two.
  (name) => ({
    [`src/${name}.mjs`]: grown(name),
    [`test/${name}.test.mjs`]: `${imports(name)}it("${name} doubles", () => expect(${name}(2)).toBe(4));\n`,
    [`test/${name}-zero.test.mjs`]: `${imports(`${name}, ${name}Of`, name)}it("${name} of nothing", () => expect(${name}(0)).toBe(0));\nit("${name} and more", () => expect(${name}Of(0, 1)).toBe(1));\n`,
  }),
];

/** Sixty steps: nine of each bad kind, and twice a dozen honest ones. */
export function corpusSteps(): readonly CorpusStep[] {
  const of = (kind: string, shapes: readonly Shape[], isHonest: boolean, shift = 0) =>
    shapes.map((shape, index) => {
      const name = NAMES[(index + shift) % NAMES.length]!;
      return { name: `${kind} ${index + shift + 1} (${name})`, isHonest, files: shape(name) };
    });
  return [
    ...of("empty", EMPTY, false),
    ...of("tautological", TAUTOLOGICAL, false),
    ...of("skipped", SKIPPED, false),
    ...of("deleted", DELETED, false),
    ...of("honest", HONEST, true),
    ...of("honest", HONEST, true, HONEST.length),
  ];
}
