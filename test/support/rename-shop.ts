import { type Acts, type RunShop, runShop } from "./run-shop.ts";

/** Fails where something is called that nothing defines. */
const CHECK = `
import { readdirSync, readFileSync } from "node:fs";
const text = readdirSync("src").map((name) => readFileSync("src/" + name, "utf8")).join("");
const defined = new Set([...text.matchAll(/^def (\\w+)/gm)].map(([, name]) => name));
const missing = [...text.matchAll(/^call (\\w+)/gm)].map(([, name]) => name).filter((name) => !defined.has(name));
if (missing.length > 0) { console.log("not defined: " + missing.join(", ")); process.exit(1); }
`;
const SETTINGS = '[verify]\ncommand = ["node", "check.mjs"]\n';

/** Two steps that pass alone: step 1 renames a function, step 2 calls it. Both begin on the same tree. */
export function renameShop(settings = SETTINGS): RunShop {
  const shop = runShop(
    [
      { number: "1", tasks: ["rename"] },
      { number: "2", tasks: ["call"] },
    ],
    settings,
  );
  shop.repo.write("check.mjs", CHECK);
  shop.repo.write("src/lib.txt", "def old\n");
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-q", "-m", "a check");
  return shop;
}

/** Neither ends before both have begun. */
export const together = (shop: RunShop, ...acts: Acts): Acts => [
  { sh: `touch '${shop.path("begun-")}{step}'` },
  { waitFor: shop.path("begun-step-1") },
  { waitFor: shop.path("begun-step-2") },
  ...acts,
  { tick: "all" },
];

export const RENAME = { write: "src/lib.txt", text: "def new\n" };
export const CALL_OLD = { write: "src/use.txt", text: "call old\n" };
export const CALL_NEW = { write: "src/use.txt", text: "call new\n" };

/** Until the plan's branch has a commit. */
export const UNTIL_LANDED = {
  sh: 'until [ "$(git rev-parse pawl/plan)" != "$(git rev-parse main)" ]; do sleep 0.02; done',
};
