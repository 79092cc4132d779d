// Refuses a release whose tag, versions and addresses do not agree. `node scripts/check-release.mjs v1.2.3`
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = process.env.PAWL_RELEASE_ROOT ?? fileURLToPath(new URL("..", import.meta.url));
const read = (path) => readFileSync(`${root}/${path}`, "utf8");
const json = (path) => JSON.parse(read(path));

const [tag = ""] = process.argv.slice(2);
const manifest = json("package.json");
const server = json("server.json");
const { version } = manifest;

const versions = {
  "the tag": tag.replace(/^v/, ""),
  "package-lock.json": json("package-lock.json").version,
  "server.json": server.version,
  "server.json, packages[0]": server.packages[0].version,
  "plugin/.claude-plugin/plugin.json": json("plugin/.claude-plugin/plugin.json").version,
  ".claude-plugin/marketplace.json": json(".claude-plugin/marketplace.json").plugins[0].version,
  "plugin/bin/pawl": /^version=(.*)$/m.exec(read("plugin/bin/pawl"))?.[1],
};
const problems = Object.entries(versions)
  .filter(([, found]) => found !== version)
  .map(([where, found]) => `${where} says ${found || "nothing"}, package.json says ${version}.`);
for (const path of ["package.json", "server.json", "plugin/.claude-plugin/plugin.json"])
  if (/\bOWNER\b/.test(read(path)))
    problems.push(`${path} still has the placeholder OWNER. Put the owner of the repository there.`);
if (manifest.mcpName !== server.name)
  problems.push(`package.json has the mcpName ${manifest.mcpName}, server.json the name ${server.name}.`);
if (!read("CHANGELOG.md").includes(`## ${version}`))
  problems.push(`CHANGELOG.md has no section "## ${version}".`);

for (const problem of problems) console.error(`release: ${problem}`);
process.exit(problems.length === 0 ? 0 : 1);
