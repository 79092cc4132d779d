import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { rolldown } from "rolldown";
import { throughDoors } from "./through-doors.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const shared = {
  plugins: [throughDoors()],
  cwd: root,
  platform: "node",
  external: [/^node:/],
  logLevel: "warn",
  checks: { ineffectiveDynamicImport: false },
};

/**
 * The command line: CommonJS, because it starts 5 ms faster than modules do, and in a few files, because a file costs
 * time by its size even where none of it runs. `main` is what every call needs, `worker` what a claim needs on top,
 * `verbs` the other verbs of agents, `git` what starts git, `committer` a step's commit, `history` what reads commits, `near` and `agent` what `prime`
 * needs, `reader` what reads a plan, `saver` what keeps it, `worktrees` what makes a worktree for it; everything else is a file of its own and
 * loads when it is called for.
 */
const buildCli = () =>
  buildProgram("cli", { main: "src/main.ts" }, [
    { name: "main", priority: 6, test: MAIN },
    { name: "near", priority: 5, test: NEAR },
    { name: "worker", priority: 4, test: WORKER },
    { name: "git", priority: 4, test: GIT },
    { name: "verbs", priority: 3, test: VERBS },
    { name: "committer", priority: 2, test: COMMITTER },
    { name: "agent", priority: 2, test: AGENT },
    { name: "reader", priority: 2, test: READER },
    { name: "saver", priority: 1, test: SAVER },
    { name: "history", priority: 1, test: HISTORY },
    { name: "worktrees", test: WORKTREES },
  ]);

/**
 * The hooks once more, apart from the command line and with files of their own: `hook` for those that have nothing to
 * do, which are nearly all, `agent` for the others, and `diagnosis` for what the start of a conversation needs on top in a
 * repository with plans. What they share with the command line would otherwise lie in files that are made for claims, and
 * cost every hook a tenth of its time.
 */
const buildHook = () =>
  buildProgram("hook", { hook: "src/hook.ts" }, [
    { name: "hook", priority: 3, test: HOOK },
    { name: "agent", priority: 2, test: HOOK_AGENT },
    { name: "diagnosis", priority: 1, test: HOOK_DIAGNOSIS },
  ]);

async function buildProgram(folder, input, groups) {
  const bundle = await rolldown({
    ...shared,
    input,
    transform: {
      target: "node20.19",
      define: { PAWL_VERSION: JSON.stringify(version), "import.meta.url": "undefined" },
    },
  });
  const dir = join(root, "dist", folder);
  await bundle.write({
    dir,
    format: "cjs",
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name].cjs",
    minify: true,
    codeSplitting: { groups },
  });
  // The files that agents wait for hold no code but our own.
  for (const { name } of groups) {
    bringRuntime(dir, `${name}.cjs`);
    makePlain(join(dir, `${name}.cjs`));
  }
  for (const name of readdirSync(dir)) makeAscii(join(dir, name));
}

/** What the bundler adds is a few lines in a file of its own, and loading one more file costs a claim half a millisecond. */
function bringRuntime(dir, name) {
  const [load, file] = ['require("./rolldown-runtime.cjs")', "rolldown-runtime.cjs"];
  const text = readFileSync(join(dir, name), "utf8");
  if (!text.includes(load)) return;
  const runtime = readFileSync(join(dir, file), "utf8");
  writeFileSync(
    join(dir, name),
    text.replace(load, () => `(exports=>{${runtime};return exports})({})`),
  );
}

/**
 * What a file gives to others becomes a value, where the bundler makes a function that fetches it: a hundred functions
 * are made at every start, and one is called wherever a name of another file is used. Nothing that is exported is ever
 * assigned again (a rule of the lint), so both mean the same.
 */
function makePlain(path) {
  const getter =
    /Object\.defineProperty\(exports,"([\w$]+)",\{enumerable:!0,get:function\(\)\{return ([\w$]+)\}\}\)/g;
  const text = readFileSync(path, "utf8").replace(getter, "exports.$1=$2");
  writeFileSync(path, text);
}

/** One sign beyond ASCII, and V8 keeps the whole file in two bytes for each character; and reading it is decoding it. */
function makeAscii(path) {
  const text = readFileSync(path, "utf8");
  if (/String\.raw`[^`]*[^\0-\x7f]/.test(text)) throw new Error(`${path}: String.raw would show the escapes`);
  const escape = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  writeFileSync(path, text.replace(/[^\0-\x7f]/g, escape));
}

/** A group of files, by the paths of what leads to the rest of it. A file that has moved fails the build here. */
function group(...paths) {
  const full = new Set(paths.map((path) => join(root, "src", `${path}.ts`)));
  for (const path of full)
    if (!existsSync(path)) throw new Error(`${path} is named in build.mjs and is gone`);
  return (id) => full.has(id);
}

/** With what nearly every command reads and writes files by, and words that `reader` needs: one file less to load. */
const MAIN = group(
  "main",
  "domain/plan",
  "domain/plural",
  "domain/shell-word",
  "plans/formats/format-names",
  "plans/formats/plan-source",
  "cli/shell",
  "cli/caller-options",
  "journal/envelope",
  "cli/commands/index",
  "platform/os/node-files",
  "platform/os/stdin-is-piped",
);

/** With everything it needs that is not in `main` already, and what `prime` needs of it. */
const WORKER = group(
  "compose",
  "api",
  "verb",
  "hook-verbs",
  "admission",
  "claims/claim",
  "cli/commands/state-claim",
  "journal/open-if-there",
  "views/step-detail",
  "agent-sessions/calling-agent",
);

const AGENT_VERBS = ["start", "heartbeat", "update", "artifact", "complete", "release"];

/** With what they need beyond that. A claim would pay for them in its one file. */
const VERBS = group(...AGENT_VERBS.flatMap((verb) => [`steps/${verb}`, `cli/commands/state-${verb}`]));

const LIBRARY_WORKER = group(
  "claims/claim",
  ...AGENT_VERBS.map((verb) => `steps/${verb}`),
  "agent-sessions/calling-agent",
);

/** What both `pawl commit` and `pawl worktree create` need: git, branches, worktrees, and the locks around them. */
const GIT = group(
  "platform/git/process/run-git",
  "platform/git/process/git-output",
  "platform/git/locks/retry-locked",
  "platform/git/refs/name-commits",
  "platform/git/refs/hold-commit",
  "platform/git/files/byte-path",
  "platform/git/trailers/step-trailers",
  "platform/git/branches/branches-by-git",
  "platform/git/worktrees/worktrees-by-git",
  "platform/sqlite/lock-files",
);

/** What `pawl commit` needs beyond that: every step ends with it. */
const COMMITTER = group("cli/commands/commit", "commits/commit", "platform/git/commits/commits-cli");

/** What reads commits: `pawl commit` flushes by it what it has made. */
const HISTORY = group("platform/git/git-cli");

/** What `pawl plan check` needs: a plan is read, without git and without a database. */
const READER = group("cli/commands/plan-check", "cli/load-plan", "plans/formats/read-plan");

/** What `pawl state init` needs beyond that: the plan is kept. */
const SAVER = group("cli/commands/state-init", "plans/save");

/** What `pawl worktree create` needs beyond that: every worker begins with it. */
const WORKTREES = group("cli/commands/worktree-create", "worktrees/create/worktree-create");

/** A status bar that asks again: nearly all calls of it do, and need no verb. */
const NEAR = group("cli/commands/prime", "cli/hooks/quick-state", "cli/hooks/answer-cache");

/** What `prime` needs that has something to say. */
const AGENT = group("cli/worker-calls", "agent-sessions/prime", "agent-sessions/prime-text");

/** A hook that has nothing to do. */
const HOOK = group("hook", "cli/hooks/answer-hook", "platform/os/read-event");

/** What hooks need that have something to do. */
const HOOK_AGENT = group(
  "compose",
  "verb",
  "hook-verbs",
  "cli/hooks/hook-events",
  "platform/git/repository/traces-of-use",
  ...["prime", "hand-over", "unfinished-step", "calling-agent", "heartbeat-here", "mark-clean-exit"].map(
    (name) => `agent-sessions/${name}`,
  ),
);

/** What finds out, at the start of a conversation, how much waits for a person: the rules, and what they ask git by. */
const HOOK_DIAGNOSIS = group(
  "recovery/diagnosis",
  ...["formats", "read-plan", "step-text"].map((name) => `plans/formats/${name}`),
  "platform/git/git-cli",
  "platform/git/branches/branches-by-git",
  "platform/git/damage/damage-by-git",
  "platform/git/locks/abandoned-lock",
  "platform/git/worktrees/worktrees-by-git",
);

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
    // For the hooks among them, which read an event.
    input: "{}",
    stdio: ["pipe", "ignore", "inherit"],
  });
}

/**
 * The library, and the heartbeat's thread, which the command line starts too: modules, split where verbs load lazily. What
 * workers call lies in one of them: in files of its own, each loaded by itself, a process's first claim takes 15 ms
 * instead of 8, and those of 64 processes a second.
 */
async function buildLibrary() {
  const bundle = await rolldown({
    ...shared,
    input: { index: "src/index.ts", heartbeat: "src/heartbeat-thread.ts" },
    transform: { target: "node20.19" },
  });
  await bundle.write({
    dir: join(root, "dist"),
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "library/[name].js",
    minify: true,
    codeSplitting: { groups: [{ name: "worker", test: LIBRARY_WORKER }] },
  });
}

/** In the order in which they overrule each other. The views may come in any order: each speaks of itself alone. */
const STYLES = [
  ...["tokens", "frame", "parts", "cards", "panels", "tables"].map((name) => `${name}.css`),
  ...readdirSync(join(root, "ui/styles/views"))
    .toSorted()
    .map((name) => `views/${name}`),
  "print.css",
];

/**
 * The page: modules for browsers, split where the page itself loads later (the graph), named by their content and packed
 * once, here. No file of it is made at run time, so the server can refuse everything that is not in this folder.
 */
async function buildPage() {
  const folder = join(root, "dist/page");
  const bundle = await rolldown({
    cwd: root,
    platform: "browser",
    input: { page: "ui/main.tsx" },
    tsconfig: join(root, "ui/tsconfig.json"),
    transform: { target: "es2022" },
    logLevel: "warn",
  });
  const { output } = await bundle.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name]-[hash].js",
    chunkFileNames: "[name]-[hash].js",
    minify: true,
  });
  const entry = output.find(({ isEntry }) => isEntry).fileName;
  const css = STYLES.map((name) => readFileSync(join(root, "ui/styles", name), "utf8"))
    .join("\n")
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/\s*\n\s*/g, "\n");
  const style = `style-${createHash("sha256").update(css).digest("base64url").slice(0, 8)}.css`;
  writeFileSync(join(folder, style), css);
  const html = readFileSync(join(root, "ui/index.html"), "utf8");
  writeFileSync(join(folder, "index.html"), html.replace("page.js", entry).replace("style.css", style));
  const icon = readFileSync(join(root, "ui/pawl.svg"), "utf8");
  writeFileSync(join(folder, "pawl.svg"), icon);
  for (const [name, colour] of Object.entries({ needs: "#d0342c", works: "#c77700" })) {
    const dot = `<circle cx="24.5" cy="7.5" r="7.5" fill="${colour}" /></svg>`;
    writeFileSync(join(folder, `pawl-${name}.svg`), icon.replace("</svg>", dot));
  }
  // What is bundled carries its licence along; the server knows no such type, so it is not part of the page.
  for (const name of ["preact", "highlight.js"])
    copyFileSync(join(root, "node_modules", name, "LICENSE"), join(folder, `${name}.LICENSE`));
  for (const name of readdirSync(folder).filter((one) => !one.endsWith("LICENSE"))) {
    const path = join(folder, name);
    writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)));
  }
}

/**
 * The declarations that a program which imports the library can reach, in one file: 500 small ones would take two
 * megabytes of a disk. Each is a module inside of it, under a name that no program imports by accident.
 */
function packTypes() {
  const folder = join(root, "dist/types");
  const modules = new Map();
  const nameOf = (path) => `pawl:${relative(folder, path).replace(/\.d\.ts$/, "")}`;
  const reach = (path) => {
    if (modules.has(path)) return;
    modules.set(path, "");
    const text = readFileSync(path, "utf8")
      .replaceAll(/^(export )?declare /gm, (_, exported = "") => exported)
      .replaceAll(/((?:from|import)\s*\(?\s*)["'](\.[^"']+)\.ts["']/g, (_, before, target) => {
        const reached = join(dirname(path), `${target}.d.ts`);
        reach(reached);
        return `${before}"${nameOf(reached)}"`;
      });
    modules.set(path, `declare module "${nameOf(path)}" {\n${text}}\n`);
  };
  const entry = join(folder, "index.d.ts");
  reach(entry);
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  writeFileSync(join(folder, "modules.d.ts"), [...modules.values()].join(""));
  writeFileSync(entry, `/// <reference path="./modules.d.ts" />\nexport * from "${nameOf(entry)}";\n`);
}

/**
 * The SQLite drivers for Node below 24, packed, for the platforms that most people work on. They are in a folder of their
 * own, which a build leaves as it is: packing them takes seconds and gives the same each time.
 */
const DRIVER_PLATFORMS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"];

function packDrivers() {
  const name = "@photostructure/sqlite";
  const from = join(root, "node_modules", name);
  const { version: driver } = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
  const folder = join(root, "drivers");
  const isCurrent = (platform) => existsSync(join(folder, `sqlite-${driver}-${platform}.node.br`));
  if (DRIVER_PLATFORMS.every(isCurrent)) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  copyFileSync(join(from, "LICENSE"), join(folder, "LICENSE"));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 22 };
  for (const platform of DRIVER_PLATFORMS) {
    const binary = readFileSync(join(from, "prebuilds", platform, "@photostructure+sqlite.glibc.node"));
    const path = join(folder, `sqlite-${driver}-${platform}.node.br`);
    // A build that is killed leaves no part of one under its name.
    writeFileSync(`${path}.part`, brotliCompressSync(binary, { params }));
    renameSync(`${path}.part`, path);
  }
}

rmSync(join(root, "dist"), { recursive: true, force: true });
packDrivers();
await buildCli();
await buildHook();
await buildPage();
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
  packTypes();
}
