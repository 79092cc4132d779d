// Installs the released agents that the tests start, once for each set of versions, and prints what is there.
//
// They are far too large to be dependencies. PAWL_TEST_AGENTS names a folder that has them; PAWL_NEWEST_AGENTS=1 takes the
// newest releases in place of the pinned ones.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PINNED = JSON.parse(readFileSync(new URL("./pinned.json", import.meta.url), "utf8"));
const isNewest = process.env["PAWL_NEWEST_AGENTS"] === "1";
const wanted = Object.entries(PINNED).map(([name, version]) => `${name}@${isNewest ? "latest" : version}`);

/** Where the agents are: the tests ask for it, too. */
export function agentsFolder() {
  const name = isNewest ? "newest" : createHash("sha256").update(wanted.join()).digest("hex").slice(0, 12);
  return (
    process.env["PAWL_TEST_AGENTS"] ??
    fileURLToPath(new URL(`../../node_modules/.cache/pawl-agents/${name}`, import.meta.url))
  );
}

export const versionIn = (folder, name) =>
  JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")).version;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = agentsFolder();
  const done = join(folder, "installed");
  if (process.env["PAWL_TEST_AGENTS"] === undefined && (isNewest || !existsSync(done))) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    const args = ["install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", ...wanted];
    execFileSync("npm", args, { stdio: ["ignore", "ignore", "inherit"] });
    writeFileSync(done, "");
  }
  for (const name of Object.keys(PINNED)) console.log(`${name} ${versionIn(folder, name)}`);
}
