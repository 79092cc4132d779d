// Plants small bugs, one at a time, and counts those that fast tests notice: `npm run mutate [path …]`.
//
// Stryker mutates TypeScript, our own mutator the SQL in statements. Without a path, the rooms that docs/mutation.md
// lists are mutated, which takes hours.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { mutateSql } from "./mutate-sql.mjs";

const ROOMS = {
  claims: ["src/claims"],
  fencing: ["src/steps/sql/owner.ts", "src/claims/sql/take-step.ts", "src/steps/sql/renew-lease.ts"],
  landing: ["src/commits"],
  recovery: ["src/recovery/rules"],
  "write-back": ["src/plans/formats"],
  admission: ["src/web/admit.ts", "src/web/keys.ts"],
};

const given = process.argv.slice(2);
const paths = given.flatMap((path) => ROOMS[path] ?? [path]);
const files = (given.length > 0 ? paths : Object.values(ROOMS).flat())
  .flatMap(filesOf)
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"));
const isSql = (path) =>
  /\/sql\//.test(path) || /`(exists|select|update|insert|with)\b/.test(readFileSync(path, "utf8"));
const statements = files.filter(isSql);
const code = files.filter((path) => !statements.includes(path));

let isBelow = false;
if (code.length > 0) {
  const stryker = ["node_modules/@stryker-mutator/core/bin/stryker.js", "run", "--mutate", code.join(",")];
  isBelow = spawnSync(process.execPath, stryker, { stdio: "inherit" }).status !== 0;
}
if (statements.length > 0) {
  const { count, survivors } = mutateSql(statements);
  const share = count === 0 ? 100 : ((count - survivors.length) / count) * 100;
  console.log(`SQL: ${count - survivors.length} of ${count} mutants noticed, ${share.toFixed(0)} %`);
}
process.exitCode = isBelow ? 1 : 0;

function filesOf(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true }).map((name) => join(path, name));
}
