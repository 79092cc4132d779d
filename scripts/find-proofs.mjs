// Finds the tests that say which guarantee they prove: a comment `proves G-…` right above a test or a group of them.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** By guarantee, the places that prove it. */
export function proofs(root) {
  const folder = fileURLToPath(root);
  const found = new Map();
  for (const path of testFiles(folder)) {
    const lines = readFileSync(path, "utf8").split("\n");
    for (const [index, text] of lines.entries()) {
      const ids = /^\s*\/\/ proves (G-[\w-]+(?:, G-[\w-]+)*)/.exec(text)?.[1]?.split(", ") ?? [];
      const above = lines.slice(index + 1).find((line) => !/^\s*(?:\/\/|\/?\*)/.test(line)) ?? "";
      for (const id of ids)
        found.set(id, [...(found.get(id) ?? []), { file: relative(folder, path), line: index + 1, above }]);
    }
  }
  return found;
}

function testFiles(folder) {
  return ["src", "test"].flatMap((part) =>
    readdirSync(join(folder, part), { recursive: true })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => join(folder, part, name)),
  );
}
