// Brings a fresh clone to the point where everything runs: packages as the lock file says, and a current build.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const npm = process.env["npm_execpath"];
const run = (command, args) => execFileSync(command, args, { cwd: root, stdio: "inherit" });

if (!packagesAreCurrent()) {
  // A fresh clone takes exactly what the lock file says. Where packages are already there, replacing those that differ is
  // enough, and seconds instead of a minute.
  const fresh = !existsSync(join(root, "node_modules"));
  const args = fresh ? ["ci"] : ["install", "--no-save"];
  args.push("--ignore-scripts", "--no-audit", "--no-fund");
  console.error("pawl: installing packages");
  if (npm) run(process.execPath, [npm, ...args]);
  else run("npm", args);
}
if (newest(["src", "ui", "scripts", "package.json"]) > oldestBuild()) {
  console.error("pawl: building");
  run(process.execPath, ["scripts/build.mjs"]);
}

/** npm writes what it installed beside the packages; it must hold what the lock file names, and a copied folder may lack some. */
function packagesAreCurrent() {
  const installed = join(root, "node_modules/.package-lock.json");
  if (!existsSync(installed)) return false;
  const have = JSON.parse(readFileSync(installed, "utf8")).packages;
  const want = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  return Object.entries(want).every(
    ([path, { version, optional }]) =>
      path === "" || optional || (have[path]?.version === version && existsSync(join(root, path))),
  );
}

function newest(paths) {
  return Math.max(
    ...paths.map((path) => {
      const full = join(root, path);
      const stat = statSync(full);
      if (!stat.isDirectory()) return stat.mtimeMs;
      return Math.max(
        0,
        ...readdirSync(full, { recursive: true }).map((name) => statSync(join(full, name)).mtimeMs),
      );
    }),
  );
}

function oldestBuild() {
  const outputs = ["dist/pawl.cjs", "dist/index.js", "dist/types/index.d.ts", "dist/page/index.html"].map(
    (path) => join(root, path),
  );
  return outputs.every(existsSync) ? Math.min(...outputs.map((path) => statSync(path).mtimeMs)) : 0;
}
