import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const PAGE = fileURLToPath(new URL("../../dist/page", import.meta.url));
const sizeOf = (name: string) => readFileSync(join(PAGE, name)).length;

it("needs little to begin with, and loads the graph and highlighting where they are seen", () => {
  const html = readFileSync(join(PAGE, "index.html"), "utf8");
  const [, entry = ""] = /src="\/(page-[\w-]+\.js)"/.exec(html) ?? [];
  const script = readFileSync(join(PAGE, entry), "utf8");
  const statics = [...script.matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/g)].map(([, name = ""]) => name);
  const initial = [entry, ...statics].reduce((sum, name) => sum + sizeOf(`${name}.br`), 0);
  expect(initial).toBeLessThan(60 * 1024);
  const graph = readdirSync(PAGE).find((name) => /^graph-[\w-]+\.js$/.test(name))!;
  expect(statics).not.toContain(graph);
  expect(script).toContain(graph);
  // So do diffs, with the library that highlights them.
  const diff = readdirSync(PAGE).find((name) => /^diff-[\w-]+\.js$/.test(name))!;
  expect(statics).not.toContain(diff);
  expect(script).toContain(diff);
  expect(script).not.toContain("hljs");
  // No library of the page is one of the command line's.
  const { dependencies } = JSON.parse(readFileSync(join(PAGE, "../../package.json"), "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  expect(Object.keys(dependencies)).not.toContain("preact");
});
