// Prints the reference pages from the tables they describe. `--check` only says whether they are up to date.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { proofs } from "./find-proofs.mjs";
import { roomGraph, roomTable } from "./rooms.mjs";
import { throughDoors } from "./through-doors.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
/** The source is TypeScript, and this runs on every Node that Pawl does. */
async function bundled(input) {
  const bundle = await rolldown({
    input: join(root, input),
    platform: "node",
    plugins: [throughDoors()],
    external: [/^node:/],
    logLevel: "silent",
  });
  const { output } = await bundle.generate({ format: "esm", codeSplitting: false });
  return import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString("base64")}`);
}
const { references, guaranteeTable, agentTables } = await bundled("src/reference.ts");

const found = proofs(new URL("..", import.meta.url));
const { requirementsPage } = await bundled("test/requirements/index.ts");
const pages = Object.entries(await references(found));
/** A page that is written by hand, with what is printed between its marks. */
const filled = (name, tables) =>
  Object.entries(tables).reduce(
    (text, [mark, table]) =>
      text.replace(
        new RegExp(`(<!-- ${mark} -->\\n).*?(<!-- end -->)`, "s"),
        (_, begin, end) => begin + table + end,
      ),
    readFileSync(join(root, name), "utf8"),
  );
const spaced = (tables) =>
  Object.fromEntries(Object.entries(tables).map(([mark, table]) => [mark, `\n${table}\n\n`]));
const printed = [
  ...pages.map(([name, text]) => [`docs/${name}`, text]),
  ["docs/requirements.md", requirementsPage()],
  ["docs/faq.md", filled("docs/faq.md", { guarantees: guaranteeTable(found) })],
  [
    "docs/architecture.md",
    filled("docs/architecture.md", spaced({ rooms: roomTable(root), "room graph": roomGraph(root) })),
  ],
  ["docs/agents.md", filled("docs/agents.md", spaced(agentTables()))],
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
