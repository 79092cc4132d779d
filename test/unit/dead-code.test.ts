import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

const filesOf = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name}`)
    .filter((name) => /\.(?:[cm]?ts|tsx|[cm]js)$/.test(name));

/** Every file that may use something, with the words in it. */
const words = new Map(
  ["src", "ui", "test", "bench", "scripts"]
    .flatMap(filesOf)
    .map((file) => [file, new Set(readFileSync(join(root, file), "utf8").match(/[A-Za-z_$][\w$]*/g) ?? [])]),
);

const EXPORTED = /^export (?:async )?(?:const|function\*?|class|let) +([\w$]+)/gm;

/**
 * Values that a file exports and no other file names. Types may be exported for the sake of those that name them.
 *
 * By words, not by imports: it misses a dead name that is alive elsewhere, and needs nothing installed.
 */
const unused = (file: string, text: string): readonly string[] =>
  [...text.matchAll(EXPORTED)]
    .map(([, name = ""]) => name)
    .filter((name) => ![...words].some(([other, used]) => other !== file && used.has(name)))
    .map((name) => `${file}: ${name}`);

it("exports no unused value", () => {
  const sources = [...words.keys()].filter(
    (file) => /^(?:src|ui)\//.test(file) && !/\.test\.tsx?$/.test(file),
  );
  expect(sources.length).toBeGreaterThan(400);
  expect(sources.flatMap((file) => unused(file, readFileSync(join(root, file), "utf8")))).toEqual([]);
});

it("sees one that is dead", () => {
  const name = ["nobody", "Names", "This"].join("");
  expect(unused("src/a.ts", `export const ${name} = 1;\nexport function plural() {}\n`)).toEqual([
    `src/a.ts: ${name}`,
  ]);
});

const NAMED =
  /^export (?:declare )?(?:async )?(?:const|function\*?|class|let|interface|type|enum) +([\w$]+)/gm;

it("exports each name once", () => {
  const files = new Map<string, readonly string[]>();
  for (const file of words.keys()) {
    if (!file.startsWith("src/") || file.endsWith(".test.ts")) continue;
    const names = new Set(
      [...readFileSync(join(root, file), "utf8").matchAll(NAMED)].map(([, name = ""]) => name),
    );
    for (const name of names) files.set(name, [...(files.get(name) ?? []), file]);
  }
  expect(files.size).toBeGreaterThan(2000);
  // A plan format and an agent of the same program: both are named as their rows are.
  expect([...files].filter(([, found]) => found.length > 1).map(([name]) => name)).toEqual(["cursor"]);
});
