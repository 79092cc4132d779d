import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const shared = {
  cwd: root,
  platform: "node",
  external: [/^node:/, "@photostructure/sqlite"],
  logLevel: "warn",
  checks: { ineffectiveDynamicImport: false },
};

/**
 * The command line: CommonJS, because it starts 5 ms faster than modules do, and in a few files, because a file costs
 * time by its size even where none of it runs. `main` is what every call needs, `worker` what a claim needs on top,
 * `verbs` the other verbs of agents, `committer` a step's commit, `near` and `agent` what hooks need; everything else
 * is a file of its own and loads when it is called for.
 */
async function buildCli() {
  const bundle = await rolldown({
    ...shared,
    input: { main: "src/main.ts" },
    transform: {
      target: "node20.19",
      define: { PAWL_VERSION: JSON.stringify(version), "import.meta.url": "undefined" },
    },
  });
  await bundle.write({
    dir: join(root, "dist/cli"),
    format: "cjs",
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name].cjs",
    minify: true,
    codeSplitting: {
      groups: [
        { name: "main", priority: 4, test: /src\/(main|cli\/shell|cli\/commands\/index)\.ts$/ },
        { name: "near", priority: 3, test: NEAR },
        { name: "worker", priority: 2, test: WORKER },
        { name: "verbs", priority: 1, test: VERBS },
        { name: "committer", test: COMMITTER },
        { name: "agent", test: AGENT },
      ],
    },
  });
}

/** Each with everything it needs that is not in `main` already. */
const WORKER = /src\/(compose|pawl|verbs|(flow\/|cli\/commands\/state-)claim)\.ts$/;

/** With what they need beyond that. A claim would pay for them in its one file. */
const VERBS = /src\/(flow\/|cli\/commands\/state-)(start|heartbeat|update|artifact|complete|release)\.ts$/;

/** What `pawl commit` needs beyond that: every step ends with it. */
const COMMITTER = /src\/(cli\/commands\/commit|flow\/commit|git\/commits\/commits-cli)\.ts$/;

/** A hook that has nothing to do, and a status bar that asks again: nearly all calls of these are, and need no verb. */
const NEAR =
  /src\/(os\/node-files|cli\/(caller-options|snake-case)|cli\/commands\/(hook|prime)|cli\/hooks\/(hook-(input|names)|near-state|kept-answer)|flow\/agent\/(beat-stamp|name-of-path))\.ts$/;

/** What hooks need that have something to do. */
const AGENT =
  /src\/(cli\/hooks\/hook-events|cli\/worker-calls|flow\/agent\/(prime|hand-over|what-is-left|leave-cleanly|beat-here)|prompts\/prime)\.ts$/;

/** What people start: a few lines that load the rest, compiled already where that was possible. */
async function buildLauncher() {
  const bundle = await rolldown({ ...shared, input: { pawl: "src/launch.ts" } });
  await bundle.write({
    dir: join(root, "dist"),
    format: "cjs",
    entryFileNames: "[name].cjs",
    minify: true,
    banner: "#!/usr/bin/env node",
  });
  const launcher = join(root, "dist/pawl.cjs");
  chmodSync(launcher, 0o755);
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PAWL|GIT)_/.test(name)));
  execFileSync(process.execPath, [join(root, "scripts/keep-compiled.cjs"), launcher], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
}

/**
 * The heartbeat's thread: one file that both the command line and the library start, built apart so that the parts of
 * the command line stay as they are.
 */
async function buildHeart() {
  const bundle = await rolldown({
    ...shared,
    input: { heart: "src/heart.ts" },
    transform: { target: "node20.19", define: { "import.meta.url": "undefined" } },
  });
  await bundle.write({
    dir: join(root, "dist"),
    format: "cjs",
    entryFileNames: "[name].cjs",
    minify: true,
    codeSplitting: false,
  });
}

/** The library: modules, split where verbs load lazily. */
async function buildLibrary() {
  const bundle = await rolldown({
    ...shared,
    input: { index: "src/index.ts" },
    transform: { target: "node20.19" },
  });
  await bundle.write({
    dir: join(root, "dist"),
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "library/[name].js",
  });
}

rmSync(join(root, "dist"), { recursive: true, force: true });
await buildCli();
await buildHeart();
await buildLauncher();
await buildLibrary();
if (!process.argv.includes("--no-types")) {
  execFileSync(
    process.execPath,
    [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json"],
    {
      cwd: root,
      stdio: "inherit",
    },
  );
}
