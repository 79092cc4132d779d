// Prints the reference pages from the tables they describe. `--check` only says whether they are up to date.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { proofs } from "./find-proofs.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const bundle = await rolldown({
  input: join(root, "src/reference.ts"),
  platform: "node",
  external: [/^node:/, "@photostructure/sqlite"],
  logLevel: "silent",
});
const { output } = await bundle.generate({ format: "esm", codeSplitting: false });
const { references, guaranteeTable } = await import(
  `data:text/javascript;base64,${Buffer.from(output[0].code).toString("base64")}`
);

const pages = Object.entries(await references(proofs(new URL("..", import.meta.url))));
const readme = readFileSync(join(root, "README.md"), "utf8");
const printed = [
  ...pages.map(([name, text]) => [`docs/${name}`, text]),
  [
    "README.md",
    readme.replace(
      /(<!-- guarantees -->\n).*?(<!-- end -->)/s,
      (_, begin, end) => begin + guaranteeTable() + end,
    ),
  ],
];

let stale = 0;
for (const [name, text] of printed) {
  const path = join(root, name);
  let current = "";
  try {
    current = readFileSync(path, "utf8");
  } catch {
    // A new page.
  }
  if (current === text) continue;
  stale += 1;
  if (process.argv.includes("--check"))
    console.error(`${name} is not what the tables say; run: npm run docs`);
  else writeFileSync(path, text);
}
if (process.argv.includes("--check") && stale > 0) process.exit(1);
