// Writes V8's compiled form of the command line beside it, after using what agents use: a function is compiled when it
// is first called, and only what was compiled can be kept. Run by the build in a process of its own.
"use strict";
const { execFileSync } = require("node:child_process");
const { mkdirSync, mkdtempSync, rmSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { dirname, join } = require("node:path");

const PLAN = `# Warm up {#warm-up}

#### Step 1: Begin {#step-1}

**Tasks:**
- [ ] begin

#### Step 2: Go on {#step-2}

**Depends on:** #step-1

**Tasks:**
- [ ] go on
`;

const HEADED = `# Warm up

**Goal:** begin

### Task 1: Begin

**Files:**
- Create: \`begin.md\`

- [ ] **Step 1: begin**

\`\`\`sh
git commit -m "begin: it"
\`\`\`

- [ ] **Step 2: Commit**

### Task 2: Go on ✅

**Depends on:** Task 1

**Status:** done

- [x] go on

## Validation Commands

- \`true\`
`;

const LIST = `# Warm up

## Phase 1: Begin

- [ ] T001 Begin
  - [ ] begin
- [ ] T002 [P] Go on
`;

const COMMANDS = [
  "--version",
  "plan check headed.md",
  "plan check list.md",
  "plan check plan.md",
  "state init plan.md",
  "state claim plan.md --worktree . --json",
  "state claim plan.md --worktree .",
  "state start plan.md step-1 --worktree . --json",
  "state heartbeat plan.md step-1 --worktree . --json",
  "state update plan.md step-1 --worktree . --task 1 completed --json",
  "state artifact plan.md step-1 --worktree . --kind reviewer_verdict --summary fine --json",
  "prime --line",
  "prime",
  "hook tool-use",
  "hook stop",
  "hook session-start",
  "hook pre-compact",
  "hook session-end",
  "state complete plan.md step-1 --worktree . --json",
  "state claim plan.md --worktree . --json",
  "state release plan.md step-2 --worktree . --json",
  "state claim plan.md --worktree . --json",
  "state start plan.md step-2 --worktree . --json",
  "state update plan.md step-2 --worktree . --all completed --json",
  "commit --plan plan.md --step step-2 --worktree . --json",
  "worktree create plan.md",
];

const launcher = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), "pawl-build-"));
const checkout = join(folder, "checkout");
const worktree = join(folder, "worktree");
const leave = process.exit.bind(process);

async function use() {
  mkdirSync(checkout);
  const git = (...args) => execFileSync("git", args, { cwd: checkout });
  git("init", "--quiet");
  git("config", "user.name", "Pawl");
  git("config", "user.email", "pawl@example.com");
  writeFileSync(join(checkout, "plan.md"), PLAN);
  git("add", "plan.md");
  git("commit", "--quiet", "--message", "A plan");
  // Where agents work.
  git("worktree", "add", "--quiet", worktree);
  writeFileSync(join(worktree, "work.md"), "To commit.\n");
  writeFileSync(join(worktree, "headed.md"), HEADED);
  writeFileSync(join(worktree, "list.md"), LIST);
  process.chdir(worktree);
  for (const command of COMMANDS) {
    const code = await call(command.split(" "));
    if (code !== 0) throw new Error(`pawl ${command} ended with ${code}`);
  }
}

function call(args) {
  process.argv = [process.execPath, launcher, ...args];
  const ended = new Promise((resolve) => {
    process.exit = resolve;
  });
  const known = require.cache[launcher];
  if (known) {
    const { loaded, load, entry } = known.exports;
    // A second one of the same script: what the first compiled stays compiled.
    loaded.delete(entry());
    load(entry());
  } else require(launcher);
  return ended;
}

function keep() {
  const { loaded, compiledPath } = require(launcher);
  for (const [file, { script }] of loaded) {
    mkdirSync(dirname(compiledPath(file)), { recursive: true });
    writeFileSync(compiledPath(file), script.createCachedData());
  }
}

use()
  .then(keep)
  .catch((error) => console.error(`pawl: built without compiled files: ${error.message}`))
  .finally(() => {
    process.chdir(tmpdir());
    rmSync(folder, { recursive: true, force: true });
    leave(0);
  });
