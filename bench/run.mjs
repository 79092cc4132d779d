// The benchmark suite. It measures a copy of the build that is laid out as npm installs it, so that a build running
// beside it changes nothing, and packs the programs in this folder next to that copy, because Node 20 runs no
// TypeScript.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
if (!existsSync(join(root, "dist/pawl.cjs"))) {
  console.error("There is no build to measure: run `npm run build` first.");
  process.exit(1);
}

const home = realpathSync(mkdtempSync(join(tmpdir(), "pawl-bench-")));
process.once("exit", () => rmSync(home, { recursive: true, force: true }));

const packages = join(home, "node_modules");
const programs = join(packages, "pawl/bench");
install("dist", "pawl/dist");
install("package.json", "pawl/package.json");
install("drivers", "pawl/drivers");
await pack("suite", []);
await pack("contender", [asInstalled()]);

// Costs 38 ms in every process on Node 20, and says nothing about Pawl.
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
const suite = spawn(process.execPath, [join(programs, "suite.js"), ...process.argv.slice(2)], {
  stdio: "inherit",
  env: { ...env, TMPDIR: home },
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => suite.kill(signal));
suite.once("exit", (code, signal) => {
  if (signal !== null) console.error(`The suite was ended from outside (${signal}).`);
  process.exit(code ?? 1);
});

function install(from, to) {
  const source = join(root, from);
  if (existsSync(source)) cpSync(source, join(packages, to), { recursive: true });
}

async function pack(program, plugins) {
  const bundle = await rolldown({
    cwd: root,
    platform: "node",
    input: { [program]: `bench/${program}.ts` },
    external: [/^node:/],
    transform: { target: "node20.19" },
    logLevel: "warn",
    checks: { ineffectiveDynamicImport: false },
    plugins,
  });
  await bundle.write({ dir: programs, format: "esm", entryFileNames: "[name].js" });
}

/** Processes whose first calls are on the clock load the library that was installed, file by file as users do. */
function asInstalled() {
  return {
    name: "as-installed",
    resolveId: (id) => (id.endsWith("src/index.ts") ? { id: "../dist/index.js", external: true } : undefined),
  };
}
