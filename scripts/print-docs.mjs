// Prints the reference pages from the tables they describe. `--check` only says whether they are up to date.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const bundle = await rolldown({
  input: join(root, "src/reference.ts"),
  platform: "node",
  external: [/^node:/, "@photostructure/sqlite"],
  logLevel: "silent",
});
const { output } = await bundle.generate({ format: "esm", codeSplitting: false });
const { references } = await import(
  `data:text/javascript;base64,${Buffer.from(output[0].code).toString("base64")}`
);

let stale = 0;
for (const [name, text] of Object.entries(await references())) {
  const path = join(root, "docs", name);
  let current = "";
  try {
    current = readFileSync(path, "utf8");
  } catch {
    // A new page.
  }
  if (current === text) continue;
  stale += 1;
  if (process.argv.includes("--check"))
    console.error(`docs/${name} is not what the tables say; run: npm run docs`);
  else writeFileSync(path, text);
}
if (process.argv.includes("--check") && stale > 0) process.exit(1);
