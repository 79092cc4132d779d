import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openPawl } from "../../src/index.ts";
import { canPlayOthers, pawl, PAWL, pawlJson, type RunOptions } from "../support/cli.ts";
import { planText, SMALL_PLAN } from "../support/plans.ts";
import { cleanEnv, copyRepository, testRepository } from "../support/repository.ts";
import {
  type Data,
  ok,
  PLAN,
  refused,
  type Workshop,
  workshop,
  workshopIn,
  words,
} from "../support/workshop.ts";
import { dump, filesBelow, query, withDatabase, worldOf } from "../support/world.ts";

/** A call that must fail: what to run, and with which settings. */
type Call = Partial<RunOptions> & { readonly args: readonly string[] };

interface BadInput {
  readonly name: string;
  /** Makes the trouble. The shop has a plan of which the main worktree works on step-0, and a second plan file. */
  readonly call: readonly string[] | ((shop: Workshop) => Call | readonly string[]);
  readonly code: string;
  readonly exit: number;
  readonly says?: RegExp;
}

const run = (args: readonly string[], code: string, exit: number, says?: RegExp): Omit<BadInput, "name"> => ({
  call: args,
  code,
  exit,
  ...(says ? { says } : {}),
});

const init = (file: string): readonly string[] => ["state", "init", file];
const on = (verb: string, step: string, ...more: readonly string[]): readonly string[] =>
  ["state", verb, PLAN, step].concat("--worktree", ".", more);
const update = (...more: readonly string[]): readonly string[] => on("update", "step-0", ...more);

/** A file in the repository, and `state init` on it. */
const content = (text: string | Uint8Array) => (shop: Workshop) => {
  shop.repository.write("bad.md", text);
  return init("bad.md");
};

const sparse = (bytes: number) => (shop: Workshop) => {
  shop.repository.write("bad.md", "");
  fs.truncateSync(join(shop.home, "bad.md"), bytes);
  return init("bad.md");
};

const PLANS: readonly BadInput[] = [
  { name: "missing plan", ...run(init("nowhere.md"), "E054", 2) },
  { name: "missing plan in a missing folder", ...run(init("no/where.md"), "E054", 2) },
  {
    name: "a plan whose file is gone",
    call: (shop) => {
      fs.rmSync(join(shop.home, PLAN));
      return ["state", "claim", PLAN, "--worktree", "."];
    },
    code: "E054",
    exit: 2,
  },
  { name: "plan name that is empty", ...run(init(""), "E066", 2, /<plan> is empty/) },
  ...["a\nb.md", "\u001b[31m.md", " c.md"].map((name) => ({
    name: `plan name that fits into no line of a commit: ${JSON.stringify(name)}`,
    call: (shop: Workshop) => {
      fs.copyFileSync(join(shop.home, PLAN), join(shop.home, name));
      return init(name);
    },
    code: "E382",
    exit: 2,
    says: /in its name/,
  })),
  {
    name: "a directory",
    call: (shop) => {
      fs.mkdirSync(join(shop.home, "folder.md"));
      return init("folder.md");
    },
    code: "E055",
    exit: 2,
    says: /a directory/,
  },
  {
    name: "a FIFO",
    call: (shop) => {
      execFileSync("mkfifo", [join(shop.home, "pipe.md")]);
      return init("pipe.md");
    },
    code: "E055",
    exit: 2,
    says: /a pipe/,
  },
  {
    name: "a dangling symlink",
    call: (shop) => {
      fs.symlinkSync("nowhere", join(shop.home, "link.md"));
      return init("link.md");
    },
    code: "E054",
    exit: 2,
  },
  {
    name: "a symlink to itself",
    call: (shop) => {
      fs.symlinkSync("loop.md", join(shop.home, "loop.md"));
      return init("loop.md");
    },
    code: "E054",
    exit: 2,
  },
  { name: "a file of 1 GB", call: sparse(2 ** 30), code: "E056", exit: 2, says: /1073741824 bytes/ },
  { name: "a file of 1 TB", call: sparse(2 ** 40), code: "E056", exit: 2 },
  { name: "one byte more than is read", call: sparse(16 * 1024 * 1024 + 1), code: "E056", exit: 2 },
  {
    name: "a binary file",
    call: content(fs.readFileSync(process.execPath).subarray(0, 4096)),
    code: "E057",
    exit: 1,
  },
  {
    name: "a NUL byte",
    call: content(SMALL_PLAN.replace("dig", "d\0g")),
    code: "E057",
    exit: 1,
    says: /NUL/,
  },
  {
    name: "invalid UTF-8",
    call: content(Buffer.concat([Buffer.from(SMALL_PLAN), Buffer.from([0xc3, 0x28])])),
    code: "E057",
    exit: 1,
    says: /UTF-8/,
  },
  { name: "an empty file", call: content(""), code: "E057", exit: 1 },
  { name: "a file without steps", call: content("# A title\n\nAnd a text.\n"), code: "E057", exit: 1 },
  {
    name: "a cycle",
    call: content(
      planText([
        { number: "0", dependsOn: ["step-1"] },
        { number: "1", dependsOn: ["step-0"] },
      ]),
    ),
    code: "E057",
    exit: 1,
    says: /step-0 → step-1 → step-0/,
  },
  {
    name: "a step that waits for itself",
    call: content(planText([{ number: "0", dependsOn: ["step-0"] }])),
    code: "E057",
    exit: 1,
  },
  {
    name: "a dependency that does not exist",
    call: content(planText([{ number: "0", dependsOn: ["step-7"] }])),
    code: "E057",
    exit: 1,
    says: /step-7/,
  },
  {
    name: "a duplicate anchor",
    call: content("#### Step 1: A {#same}\n\n#### Step 2: B {#same}\n"),
    code: "E057",
    exit: 1,
    says: /same/,
  },
  {
    name: "a plan outside the repository",
    call: (shop) => init(outside(shop)),
    code: "E058",
    exit: 2,
  },
  {
    name: "a plan outside by way of ..",
    call: (shop) => {
      outside(shop);
      return init("docs/../../outside.md");
    },
    code: "E058",
    exit: 2,
  },
  { name: "a missing plan outside", ...run(init("../nowhere.md"), "E058", 2) },
  {
    name: "a symlink to a plan outside",
    call: (shop) => {
      fs.symlinkSync(outside(shop), join(shop.home, "link.md"));
      return init("link.md");
    },
    code: "E058",
    exit: 2,
  },
  {
    name: "a plan in a symlinked folder outside",
    call: (shop) => {
      outside(shop);
      fs.symlinkSync(join(shop.home, ".."), join(shop.home, "up"));
      return init("up/outside.md");
    },
    code: "E058",
    exit: 2,
  },
  { name: "a device", ...run(init("/dev/zero"), "E058", 2) },
  { name: "the repository itself", ...run(init("."), "E058", 2) },
  { name: "a plan without state", ...run(["state", "show", "second.md"], "E059", 3, /second\.md/) },
  {
    name: "work on a plan without state",
    ...run(["state", "claim", "second.md", "--worktree", "."], "E059", 3),
  },
];

function outside(shop: Workshop): string {
  const path = join(shop.home, "..", "outside.md");
  fs.writeFileSync(path, SMALL_PLAN);
  return path;
}

const STEPS_AND_ITEMS: readonly BadInput[] = [
  ...["start", "heartbeat", "complete", "release"].map((verb) => ({
    name: `unknown step for ${verb}`,
    ...run(on(verb, "step-9"), "E060", 2, /no step step-9/),
  })),
  { name: "unknown step for update", ...run(on("update", "step-9", "--all", "completed"), "E060", 2) },
  { name: "unknown step for reset", ...run(["state", "reset", PLAN, "step-9"], "E060", 2) },
  { name: "unknown step for explain", ...run(["explain", PLAN, "step-9"], "E060", 2) },
  {
    name: "unknown step for claim",
    ...run(["state", "claim", PLAN, "--worktree", ".", "--step", "x"], "E060", 2),
  },
  { name: "a step in capitals", ...run(on("heartbeat", "STEP-0"), "E060", 2) },
  { name: "a step that is empty", ...run(on("heartbeat", ""), "E066", 2) },
  { name: "a step that is only #", ...run(on("heartbeat", "#"), "E060", 2) },
  {
    name: "a substep to claim",
    ...run(["state", "claim", PLAN, "--worktree", ".", "--step", "step-1-1"], "E066", 2),
  },
  { name: "a substep to release", ...run(on("release", "step-1-1"), "E066", 2) },
  ...["0", "99", "-1", "x", "1.5", "99999999999999999999", "1e1", "０"].flatMap((ordinal) => [
    { name: `ordinal ${ordinal}`, ...run(update("--task", ordinal, "completed"), "E061", 2) },
    { name: `ordinal ${ordinal} with a colon`, ...run(update(`--task=${ordinal}:completed`), "E061", 2) },
  ]),
  {
    name: "a kind the step has none of",
    ...run(on("update", "step-1", "--test", "1", "completed"), "E061", 2),
  },
  { name: "unknown status", ...run(update("--task", "1", "done"), "E062", 2, /"done"/) },
  { name: "unknown status for all", ...run(update("--all", "Completed"), "E062", 2) },
  { name: "a text no item has", ...run(update("--match", "swim", "completed"), "E061", 2) },
  { name: "a text that is empty", ...run(update("--match", "", "completed"), "E061", 2) },
  { name: "a text two items have", ...run(update("--match", "e", "completed"), "E080", 2) },
  { name: "nothing to update", ...run(update(), "E066", 2) },
  { name: "deferred without a reason", ...run(update("--task", "1", "deferred"), "E081", 2) },
  {
    name: "unknown artifact kind",
    ...run(on("artifact", "step-0", "--kind", "poem", "--summary", "x"), "E063", 2),
  },
  { name: "artifact without a kind", ...run(on("artifact", "step-0", "--summary", "x"), "E066", 2) },
  {
    name: "artifact without a summary",
    ...run(on("artifact", "step-0", "--kind", "auditor_summary"), "E066", 2),
  },
  {
    name: "a commit that is none",
    ...run(on("complete", "step-0", "--commit", "no-such-branch"), "E082", 2),
  },
  { name: "force without a reason", ...run(on("complete", "step-0", "--force="), "E081", 2) },
];

const claimIn = (worktree: (shop: Workshop) => string) => (shop: Workshop) => [
  "state",
  "claim",
  PLAN,
  "--worktree",
  worktree(shop),
];

const WORKTREES: readonly BadInput[] = [
  { name: "worktree that does not exist", call: claimIn(() => "/no/where"), code: "E064", exit: 2 },
  {
    name: "plain folder inside the repository",
    call: claimIn((shop) => {
      fs.mkdirSync(join(shop.home, "folder"));
      return "folder";
    }),
    code: "E064",
    exit: 2,
    says: /plain folder/,
  },
  { name: "plain folder outside", call: claimIn(() => tmpdir()), code: "E064", exit: 2 },
  { name: "a file as worktree", call: claimIn(() => PLAN), code: "E064", exit: 2, says: /not a folder/ },
  { name: "the git directory as worktree", call: claimIn(() => ".git"), code: "E064", exit: 2 },
  { name: "worktree that is empty", call: claimIn(() => ""), code: "E064", exit: 2 },
  {
    name: "worktree of another repository",
    call: claimIn(() => {
      const other = testRepository();
      onTestFinished(other.remove);
      return other.path;
    }),
    code: "E064",
    exit: 2,
    says: /another repository/,
  },
  {
    name: "copy of a linked worktree",
    call: claimIn((shop) => {
      const copy = join(shop.home, "..", "copy");
      fs.cpSync(shop.worktree("mine"), copy, { recursive: true });
      return copy;
    }),
    code: "E064",
    exit: 2,
  },
  {
    name: "worktree that was deleted",
    call: claimIn((shop) => {
      const gone = shop.worktree("gone");
      fs.rmSync(gone, { recursive: true });
      return gone;
    }),
    code: "E064",
    exit: 2,
  },
  { name: "no worktree at all", ...run(["state", "claim", PLAN], "E066", 2, /--worktree is missing/) },
];

const REPOSITORIES: readonly BadInput[] = [
  {
    name: "not a git repository",
    call: () => {
      const folder = fs.mkdtempSync(join(tmpdir(), "pawl-plain-"));
      onTestFinished(() => fs.rmSync(folder, { recursive: true }));
      fs.writeFileSync(join(folder, PLAN), SMALL_PLAN);
      return { cwd: folder, args: init(PLAN) };
    },
    code: "E065",
    exit: 3,
  },
  {
    name: "a bare repository, which has no plans",
    call: () => {
      const bare = testRepository({ bare: true });
      onTestFinished(bare.remove);
      fs.writeFileSync(join(bare.path, PLAN), SMALL_PLAN);
      return { cwd: bare.path, args: init(PLAN) };
    },
    code: "E058",
    exit: 2,
  },
  {
    name: "a repository of another user",
    call: () => {
      const foreign = testRepository();
      onTestFinished(foreign.remove);
      foreign.write(PLAN, SMALL_PLAN);
      execFileSync("chown", ["-R", "65534:65534", foreign.path]);
      return { cwd: foreign.path, args: init(PLAN) };
    },
    code: "E065",
    exit: 3,
    says: /dubious ownership/,
  },
];

const USAGE: readonly BadInput[] = [
  { name: "unknown command", ...run(["stat", "show"], "E066", 2, /did you mean `pawl state show`/) },
  {
    name: "a command of a group with a typo",
    ...run(["state", "clami", PLAN], "E066", 2, /`pawl state claim`/),
  },
  { name: "a command without its group", ...run(["claim", PLAN], "E066", 2, /`pawl state claim`/) },
  { name: "a command that is like nothing", ...run(["qwertyuiop"], "E066", 2, /unknown command/) },
  { name: "a group alone", ...run(["state"], "E066", 2) },
  { name: "__proto__ as a command", ...run(["__proto__"], "E066", 2) },
  {
    name: "unknown option",
    ...run(["state", "show", "--frobnicate"], "E066", 2, /unknown option --frobnicate/),
  },
  {
    name: "an option with a typo",
    ...run(["state", "claim", PLAN, "--worktre", "."], "E066", 2, /--worktree/),
  },
  { name: "a flag with one dash", ...run(["state", "init", PLAN, "-force"], "E066", 2) },
  { name: "__proto__ as an option", ...run(["state", "show", "--__proto__", "x"], "E066", 2) },
  { name: "an option before the command", ...run(["--worktree", ".", "state", "claim"], "E066", 2) },
  { name: "missing operand", ...run(["state", "claim"], "E066", 2, /<plan> is missing/) },
  { name: "missing second operand", ...run(["state", "start", PLAN], "E066", 2, /<step> is missing/) },
  { name: "one operand too many", ...run(["state", "show", PLAN, "again"], "E066", 2, /unexpected "again"/) },
  {
    name: "option without a value",
    ...run(["state", "claim", PLAN, "--worktree"], "E066", 2, /needs a value/),
  },
  {
    name: "option with an option for a value",
    ...run(["state", "claim", PLAN, "--worktree", "--force"], "E066", 2),
  },
  { name: "pair with one value", ...run(update("--task", "1"), "E066", 2, /needs two values/) },
  {
    name: "option given twice",
    ...run(["state", "claim", PLAN, "--worktree", ".", "--worktree", "."], "E066", 2),
  },
  { name: "flag with a value", ...run(["state", "init", PLAN, "--force=yes"], "E066", 2, /takes no value/) },
  { name: "claim that is no number", ...run(on("start", "step-0", "--claim", "one"), "E066", 2) },
  { name: "claim that is not whole", ...run(on("start", "step-0", "--claim", "1.0"), "E066", 2) },
  ...["one", "-1", "1.5", "0x1", " 1", "99999999999999999999"].map((value) => ({
    name: `PAWL_CLAIM=${JSON.stringify(value)}`,
    call: () => ({ env: { PAWL_CLAIM: value }, args: on("start", "step-0") }),
    code: "E066",
    exit: 2,
    says: /PAWL_CLAIM/,
  })),
  ...["0", "-1", "0.5", "1e9", "forever", "", "31622401", "99999999999999999999", "NaN"].flatMap((value) => [
    {
      name: `claim for ${JSON.stringify(value)} seconds`,
      ...run(
        ["state", "claim", PLAN, "--worktree", ".", `--lease-duration=${value}`],
        "E066",
        2,
        /--lease-duration/,
      ),
    },
    {
      name: `heartbeat for ${JSON.stringify(value)} seconds`,
      ...run(on("heartbeat", "step-0", `--lease-duration=${value}`), "E066", 2, /--lease-duration/),
    },
  ]),
  { name: "completion for a shell that is none", ...run(["completion", "tcsh"], "E066", 2) },
];

/** Leaves the database alone in its file, so that damage to the file is damage to the data. */
function settled(shop: Workshop): string {
  withDatabase(shop.database, (connection) => connection.exec("pragma wal_checkpoint(truncate)"));
  for (const suffix of ["-wal", "-shm"]) fs.rmSync(shop.database + suffix, { force: true });
  return shop.database;
}

const damaged =
  (damage: (path: string) => void, args: readonly string[] = on("heartbeat", "step-0")) =>
  (shop: Workshop) => {
    damage(settled(shop));
    return args;
  };

function zeroPage(path: string, table: string): void {
  const [page] = query(path, "select rootpage from sqlite_master where name = ?", table);
  const [size] = query(path, "pragma page_size");
  for (const suffix of ["-wal", "-shm"]) fs.rmSync(path + suffix, { force: true });
  const bytes = Number(size?.["page_size"]);
  const file = fs.openSync(path, "r+");
  fs.writeSync(file, Buffer.alloc(bytes), 0, bytes, (Number(page?.["rootpage"]) - 1) * bytes);
  fs.closeSync(file);
}

const replaceBy = (sql: string) => (path: string) => {
  fs.rmSync(path);
  withDatabase(path, (connection) => connection.exec(sql));
};

const DATABASES: readonly BadInput[] = [
  {
    name: "a database of garbage",
    call: damaged((path) => fs.writeFileSync(path, Buffer.alloc(20_000, "garbage!"))),
    code: "E068",
    exit: 3,
  },
  {
    name: "a database cut in half",
    call: damaged((path) => fs.truncateSync(path, Math.floor(fs.statSync(path).size / 2))),
    code: "E068",
    exit: 3,
  },
  {
    name: "a database cut to nothing",
    call: damaged((path) => fs.truncateSync(path, 0)),
    code: "E083",
    exit: 3,
    says: /is empty now/,
  },
  {
    name: "a database cut to nothing, to initialise again",
    call: damaged((path) => fs.truncateSync(path, 0), init(PLAN)),
    code: "E083",
    exit: 3,
  },
  ...["show", "ready", "heartbeat", "claim"].map((verb) => ({
    name: `a page of zeros in the middle, for ${verb}`,
    call: damaged(
      (path) => zeroPage(path, "steps"),
      verb === "heartbeat"
        ? on(verb, "step-0")
        : ["state", verb, PLAN, ...(verb === "claim" ? ["--worktree", "."] : [])],
    ),
    code: "E068",
    exit: 3,
  })),
  {
    name: "the database of another application",
    call: damaged(replaceBy("create table users (name text)")),
    code: "E046",
    exit: 3,
    says: /not one of Pawl's/,
  },
  {
    name: "the database of another application that numbers its schema",
    call: damaged(
      replaceBy("create table schema_version (version integer); insert into schema_version values (1)"),
    ),
    code: "E046",
    exit: 3,
  },
  {
    name: "a database of a newer version",
    call: damaged((path) =>
      withDatabase(path, (connection) => connection.exec("update schema_version set version = 999")),
    ),
    code: "E067",
    exit: 3,
    says: /999/,
  },
  { name: "a database that was deleted", call: damaged((path) => fs.rmSync(path)), code: "E083", exit: 3 },
  {
    name: "a database that was deleted, to initialise again",
    call: damaged((path) => fs.rmSync(path), init(PLAN)),
    code: "E083",
    exit: 3,
  },
  {
    name: "a directory in place of the database",
    call: damaged((path) => {
      fs.rmSync(path);
      fs.mkdirSync(path);
    }),
    code: "E046",
    exit: 3,
  },
  {
    name: "a state folder that every user can write",
    call: (shop) => {
      fs.chmodSync(join(shop.home, ".git/pawl"), 0o777);
      return on("heartbeat", "step-0");
    },
    code: "E046",
    exit: 3,
    says: /Every user/,
  },
  {
    name: "PAWL_STATE_DIR that is a file",
    call: (shop) => ({ env: { PAWL_STATE_DIR: join(shop.home, PLAN) }, args: init("second.md") }),
    code: "E046",
    exit: 3,
  },
];

/** The folder belongs to a user without rights, and so does the process. Only root can arrange that. */
const asNobody = (forbid: (state: string) => void, args: readonly string[]) => (shop: Workshop) => {
  execFileSync("chown", ["-R", "65534:65534", join(shop.home, "..")]);
  forbid(join(shop.home, ".git/pawl"));
  return { uid: 65534, args };
};

const PERMISSIONS: readonly BadInput[] = [
  {
    name: "a read-only database",
    call: asNobody((state) => fs.chmodSync(join(state, "state.db"), 0o400), on("heartbeat", "step-0")),
    code: "E070",
    exit: 3,
  },
  {
    name: "a database in a read-only folder",
    call: asNobody(
      (state) => {
        fs.chmodSync(join(state, "state.db"), 0o400);
        fs.chmodSync(state, 0o500);
      },
      on("heartbeat", "step-0"),
    ),
    code: "E070",
    exit: 3,
  },
  {
    name: "a database that cannot be read",
    call: asNobody((state) => fs.chmodSync(join(state, "state.db"), 0), ["state", "show", PLAN]),
    code: "E046",
    exit: 3,
  },
  {
    name: "a state folder that cannot be entered",
    call: asNobody((state) => fs.chmodSync(state, 0), ["state", "show", PLAN]),
    code: "E046",
    exit: 3,
  },
  {
    name: "a state folder that cannot be made",
    call: asNobody((state) => {
      fs.rmSync(state, { recursive: true });
      fs.chmodSync(join(state, ".."), 0o500);
    }, init(PLAN)),
    code: "E070",
    exit: 3,
  },
  {
    name: "a plan that cannot be read",
    call: asNobody((state) => fs.chmodSync(join(state, "../../second.md"), 0), init("second.md")),
    code: "E055",
    exit: 2,
    says: /EACCES/,
  },
];

const BAD_INPUT = [
  ...PLANS,
  ...STEPS_AND_ITEMS,
  ...WORKTREES,
  ...REPOSITORIES,
  ...USAGE,
  ...DATABASES,
  ...(canPlayOthers() ? PERMISSIONS : []),
];

const isPrintable = (text: string): boolean => !/[^\P{C}\n\t]|[\u2028\u2029]/u.test(text);

/** A plan that the main worktree works on, and a second one that has no state. Made once, copied for every case. */
const TEMPLATE = testRepository();
afterAll(TEMPLATE.remove);
beforeAll(() => {
  const shop = workshopIn(TEMPLATE);
  TEMPLATE.write(PLAN, SMALL_PLAN);
  TEMPLATE.write("second.md", SMALL_PLAN);
  ok(shop.json("state", "init", PLAN));
  shop.take(".");
});

function busyShop(): Workshop {
  const repository = copyRepository(TEMPLATE);
  onTestFinished(repository.remove);
  return workshopIn(repository);
}

// proves G-broken-input-changes-nothing
describe("bad input", () => {
  it.each(BAD_INPUT)("is refused and changes nothing: $name", ({ call, code, exit, says }) => {
    const shop = busyShop();
    const made = typeof call === "function" ? call(shop) : call;
    const { args, ...options }: Call = "args" in made ? made : { args: made };
    const settings = { cwd: shop.home, ...options };
    const before = worldOf(shop.repository);

    const machine = pawlJson(settings, ...args);
    const person = pawl(settings, ...args);

    const issue = refused(machine, code, exit);
    expect(issue.message).toMatch(says ?? /./);
    expect(machine).toMatchObject({ schema_version: "1", data: {}, command: expect.any(String) });
    expect(person).toMatchObject({ code: exit, signal: null, stdout: "" });
    // A group alone answers with its help.
    if (args.join(" ") !== "state")
      expect(person.stderr).toMatch(new RegExp(`^error\\[${code}\\] .+\\n {2}hint: .+`));
    expect(isPrintable(person.stdout + person.stderr)).toBe(true);
    expect(person.stderr).not.toMatch(/^\s+at |node:internal|\.cjs:\d+|undefined|\[object/m);
    expect(worldOf(shop.repository)).toEqual(before);
  });

  it("is refused at once when it is large: nothing of it is read", () => {
    const shop = workshop(null);
    sparse(2 ** 40)(shop);
    const start = performance.now();
    refused(shop.json("state", "init", "bad.md"), "E056", 2);
    // Reading a terabyte takes many minutes on any disk; starting Node under load takes less than this.
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});

// proves G-lost-database-comes-back
describe("a damaged database", () => {
  it.each(["steps", "plans", "sessions", "events"])("is reported by doctor, check by check: %s", (table) => {
    const shop = workshop();
    zeroPage(settled(shop), table);
    const answer = shop.json("doctor");
    expect(answer).toMatchObject({ code: 1, status: "ok" });
    const checks = answer.data["checks"] as Data[];
    expect(checks.find(({ name }) => name === "state_integrity")).toMatchObject({ status: "fail" });
    expect(checks.find(({ name }) => name === "git")).toMatchObject({ status: "pass" });
    expect(shop.text("doctor")).toMatchObject({ code: 1, stderr: "" });
  });
});

describe("a full disk", () => {
  const disk = join(tmpdir(), `pawl-disk-${process.pid}`);
  let isMounted = false;
  beforeAll(() => {
    fs.mkdirSync(disk);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "pawl-test", disk], { stdio: "ignore" });
      isMounted = true;
    } catch {
      // Not root, or not allowed; the test below limits file sizes instead.
    }
  });
  afterAll(() => {
    // Lazily, because a finished statement keeps its file open until it is collected.
    if (isMounted) execFileSync("umount", ["-l", disk]);
    fs.rmSync(disk, { recursive: true });
  });

  const fill = (): void => {
    const file = fs.openSync(join(disk, "filling"), "a");
    try {
      for (;;) fs.writeSync(file, Buffer.alloc(1024));
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe("ENOSPC");
    } finally {
      fs.closeSync(file);
    }
  };

  it.runIf(canPlayOthers())(
    "refuses every verb that writes, loses nothing, and works again after it",
    ({ skip }) => {
      skip(!isMounted, "no tmpfs can be mounted here");
      const shop = workshop(null);
      const state = join(disk, "pawl");
      onTestFinished(() => {
        fs.rmSync(state, { recursive: true, force: true });
        fs.rmSync(join(disk, "filling"), { force: true });
      });
      const env = { PAWL_STATE_DIR: state };
      const call = (...args: readonly string[]) => shop.jsonWith({ env }, ...args);
      shop.repository.write(PLAN, SMALL_PLAN);

      fill();
      refused(call("state", "init", PLAN), "E071", 3);
      fs.rmSync(join(disk, "filling"));
      ok(call("state", "init", PLAN));
      ok(call("state", "claim", PLAN, "--worktree", "."));
      ok(call("state", "start", PLAN, "step-0", "--worktree", "."));
      fill();
      const before = dump(join(state, "state.db"));
      const files = filesBelow(state).map((line) => line.split(" ")[0]);

      for (const args of [
        ["state", "update", PLAN, "step-0", "--worktree", ".", "--all", "completed"],
        ["state", "complete", PLAN, "step-0", "--worktree", ".", "--force", "x"],
        ["state", "reset", PLAN, "step-0"],
        ["state", "init", PLAN, "--force"],
      ]) {
        refused(call(...args), "E071", 3);
        const { code, stdout, stderr } = pawl({ cwd: shop.home, env }, ...args);
        expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
        expect(stderr).toMatch(/^error\[E071\] .+: the disk is full\.\n {2}hint: Free some disk space/);
      }

      expect(ok(call("state", "show", PLAN))["plan"]).toMatchObject({
        steps: [{ status: "in_progress" }, {}, {}],
      });
      expect(dump(join(state, "state.db"))).toEqual(before);
      // No half-written copy is left that could pass for a whole one.
      expect(filesBelow(state).map((line) => line.split(" ")[0])).toEqual(expect.arrayContaining(files));
      expect(filesBelow(state).filter((line) => /json|tmp/.test(line))).toEqual([]);
      fs.rmSync(join(disk, "filling"));
      ok(call("state", "update", PLAN, "step-0", "--worktree", ".", "--all", "completed"));
      expect(ok(call("doctor"))["summary"]).toMatchObject({ failures: 0 });
    },
  );

  it("and a file that may not grow any more: an error of the disk, and nothing has changed", () => {
    const shop = workshop();
    shop.take(".");
    const before = dump(shop.database);
    const call = words(`state update ${PLAN} step-0 --worktree . --all completed --json`);
    // In blocks of 1024 bytes: less than the log already has. The signal is ignored, so writes fail instead.
    const script = `trap "" XFSZ; ulimit -f 1; exec "$@"`;
    const { status, stdout } = spawnSync("bash", ["-c", script, "bash", process.execPath, PAWL, ...call], {
      cwd: shop.home,
      env: cleanEnv(),
      encoding: "utf8",
    });
    expect({ status, issue: JSON.parse(stdout).issues[0].code }).toEqual({ status: 3, issue: "E047" });
    expect(dump(shop.database)).toEqual(before);
    ok(shop.work("update", ".", "step-0", "--all", "completed"));
  });
});

describe("a database that is replaced or deleted while it is open", () => {
  it.each<[string, (path: string) => void]>([
    [
      "replaced",
      (path) => {
        fs.copyFileSync(path, `${path}.copy`);
        fs.renameSync(`${path}.copy`, path);
      },
    ],
    ["deleted", (path) => fs.rmSync(path)],
    ["moved away", (path) => fs.renameSync(path, `${path}.old`)],
  ])("is not written to: %s", async (_, happens) => {
    const shop = workshop();
    const open = await openPawl({ cwd: shop.home, env: cleanEnv() });
    onTestFinished(() => open.close());
    await open.claim({ plan: PLAN, worktree: shop.home });
    happens(shop.database);
    const call = open.start({ plan: PLAN, step: "step-0", worktree: shop.home });
    await expect(call).rejects.toMatchObject({
      problem: "store/replaced",
      code: "E069",
      kind: "environment",
    });
  });

  it("ends a process that follows the journal", async () => {
    const shop = workshop();
    const child = spawn(process.execPath, [PAWL, "state", "events", "--follow"], {
      cwd: shop.home,
      env: cleanEnv(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let errors = "";
    child.stderr.on("data", (text: Buffer) => (errors += text.toString()));
    await once(child.stdout, "data");
    fs.renameSync(shop.database, `${shop.database}.old`);
    const [code] = await once(child, "close");
    expect(code).toBe(3);
    expect(errors).toMatch(/^error\[E069\]/);
  });
});

describe("a submodule", () => {
  it("has a state of its own, not that of the repository around it", () => {
    const shop = workshop();
    const part = testRepository();
    onTestFinished(part.remove);
    part.write(PLAN, planText([{ number: "7" }]));
    part.git("add", PLAN);
    part.git("commit", "-q", "-m", "plan");
    shop.repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", part.path, "part");
    const inside = join(shop.home, "part");

    ok(pawlJson({ cwd: inside }, "state", "init", PLAN));
    expect(ok(pawlJson({ cwd: inside }, "state", "claim", PLAN, "--worktree", "."))["anchor"]).toBe("step-7");

    expect((ok(shop.json("state", "list"))["plans"] as Data[]).map((plan) => plan["steps_total"])).toEqual([
      3,
    ]);
    expect(fs.existsSync(join(shop.home, ".git/modules/part/pawl/state.db"))).toBe(true);
    refused(shop.claim("part"), "E064", 2);
    refused(pawlJson({ cwd: inside }, "state", "claim", PLAN, "--worktree", shop.home), "E064", 2);
  });
});

describe("a linked worktree of a bare repository", () => {
  it("works, with the state in the bare repository", () => {
    const bare = testRepository({ bare: true });
    onTestFinished(bare.remove);
    const main = join(bare.path, "../main");
    const tree = bare.git("hash-object", "-t", "tree", "-w", "/dev/null");
    bare.git("update-ref", "refs/heads/main", bare.git("commit-tree", "-m", "root", tree));
    bare.git("worktree", "add", "-q", main, "main");
    fs.writeFileSync(join(main, PLAN), SMALL_PLAN);
    ok(pawlJson({ cwd: main }, "state", "init", PLAN));
    expect(ok(pawlJson({ cwd: main }, "state", "claim", PLAN, "--worktree", "."))["anchor"]).toBe("step-0");
    expect(fs.existsSync(join(bare.path, "pawl/state.db"))).toBe(true);
  });
});

describe("input that looks bad and is not", () => {
  it("accepts a summary of 10,000 emoji and cuts it between characters", () => {
    const shop = workshop();
    shop.take(".");
    for (const emoji of ["🦊", "👩‍👩‍👧‍👦", "e\u0301", "🇩🇪", "한"]) {
      // The system takes no argument of more than 128 KiB.
      const summary = emoji.repeat(Math.min(10_000, Math.floor(100_000 / Buffer.byteLength(emoji))));
      ok(shop.work("artifact", ".", "step-0", "--kind", "auditor_summary", "--summary", summary));
      const [row] = query(shop.database, "select summary from step_artifacts order by id desc limit 1");
      const kept = String(row?.["summary"]);
      const characters = Array.from(kept).length;
      expect(characters).toBeLessThanOrEqual(500);
      expect(characters).toBeGreaterThan(500 - 12);
      expect(kept.replaceAll(emoji, "")).toBe("");
    }
  });

  it("takes __proto__, constructor and the like for what they are: anchors", () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];
    const headings = names.map((name, index) => {
      const before = index === 0 ? "" : `\n**Depends on:** #${names[index - 1]}\n`;
      return `#### Step ${index}: ${name} {#${name}}\n${before}\n**Tasks:**\n- [ ] __proto__\n`;
    });
    const shop = workshop(headings.join("\n"));
    const pollution = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));
    expect((shop.plan()["steps"] as Data[]).map((step) => step["anchor"])).toEqual(names);
    for (const name of names) {
      expect(shop.step(name)["blocked_by"]).toEqual([]);
      shop.finish(".", name);
      expect(ok(shop.json("explain", PLAN, name))["steps"]).toMatchObject([
        { anchor: name, status: "completed" },
      ]);
    }
    expect(shop.plan()["status"]).toBe("done");
    expect(JSON.stringify(Object.getOwnPropertyNames(Object.prototype))).toBe(pollution);
  });

  it("knows one plan under every name of its path", () => {
    const shop = workshop();
    fs.mkdirSync(join(shop.home, "docs/deep"), { recursive: true });
    fs.symlinkSync(join(shop.home, PLAN), join(shop.home, "link.md"));
    fs.symlinkSync(shop.home, join(shop.home, "../alias"));
    shop.repository.git("add", ".");
    shop.repository.git("commit", "-q", "-m", "all");
    const beside = shop.worktree("beside");
    const within = join(shop.home, ".worktrees/within");
    shop.repository.git("worktree", "add", "-q", "-b", "within", within);
    const names: readonly (readonly [cwd: string, name: string])[] = [
      [".", PLAN],
      [".", `./${PLAN}`],
      [".", `docs/../${PLAN}`],
      [".", `docs//deep/.././../${PLAN}`],
      [".", join(shop.home, PLAN)],
      [".", join(shop.home, "../alias", PLAN)],
      [".", "link.md"],
      ["docs", `../${PLAN}`],
      ["docs", PLAN],
      ["docs/deep", `../../${PLAN}`],
      ["../alias", PLAN],
      [beside, PLAN],
      [beside, `./${PLAN}`],
      [beside, "link.md"],
      [beside, join(shop.home, PLAN)],
      [".", join(beside, PLAN)],
      [within, PLAN],
      [within, join(shop.home, PLAN)],
      [".", join(within, PLAN)],
      [".", `.worktrees/within/${PLAN}`],
      ["docs", `../.worktrees/within/${PLAN}`],
    ];

    const keys = names.map(([cwd, name]) => {
      const answer = pawlJson(
        { cwd: join(cwd.startsWith("/") ? "/" : shop.home, cwd) },
        "state",
        "init",
        name,
      );
      return `${cwd} ${name}: ${answer.data["plan_path"] ?? answer.issues[0]?.message} ${answer.data["already_initialized"]}`;
    });

    expect(keys).toEqual(names.map(([cwd, name]) => `${cwd} ${name}: ${PLAN} true`));
    expect(ok(shop.json("state", "list"))["plans"]).toHaveLength(1);
  });

  it("knows one worktree under every name of its path", () => {
    const shop = workshop(planText([{ number: "0" }, { number: "1" }]));
    const mine = shop.worktree("mine");
    fs.symlinkSync(mine, join(shop.home, "../alias"));
    const names = [mine, `${mine}/`, `${mine}/.`, `${mine}/../mine`, "../mine", "../alias", "./../alias/"];
    ok(shop.claim(mine));
    for (const name of names)
      expect(ok(shop.claim(name))).toMatchObject({ anchor: "step-0", reclaimed: true, displaced: null });
    expect(shop.step("step-0")["claimed_by"]).toBe(mine);
    expect(ok(pawlJson({ cwd: mine }, "state", "claim", PLAN, "--worktree", "."))["anchor"]).toBe("step-0");
  });
});

// proves G-broken-input-changes-nothing
describe("text that acts on a terminal", () => {
  const HOSTILE = {
    escape: "\x1b[31mred\x1b[0m",
    clipboard: "\x1b]52;c;cm0gLXJmIH4=\x07",
    title: "\x1b]0;owned\x1b\\",
    cursor: "\x1b[2J\x1b[1;1H",
    c1: "\x9b31m \x9d52;c;AAAA\x9c",
    overwrite: "safe\rover",
    bidi: "\u202egnirts\u202c \u2066x\u2069",
    invisible: "a\u200bb\u{e0041}c",
    bell: "\x07\x08\x7f",
  } as const;
  const everything = Object.values(HOSTILE).join(" ");

  /** Everything hostile in every place that takes text. */
  function hostileShop(): { readonly shop: Workshop; readonly tree: string } {
    const shop = workshop(null);
    const line = everything.replaceAll("\r", " ");
    shop.repository.write(
      PLAN,
      [
        `## Phase 1.0: ${line} {#phase}`,
        `#### Step 0: ${line} {#step-0}`,
        "**Tasks:**",
        `- [ ] ${line}`,
        `#### Step 1: carriage\rreturn {#step-1}`,
        "**Depends on:** #step-0",
      ].join("\n\n"),
    );
    const branch = "bidi-\u202e-\u009b31m";
    const tree = join(shop.home, "..", `tree ${HOSTILE.escape} ${HOSTILE.bidi} ${HOSTILE.clipboard}`);
    shop.repository.git("worktree", "add", "-q", "-b", branch, tree);
    ok(shop.json("state", "init", PLAN));
    return { shop, tree };
  }

  it("never reaches stdout or stderr for people, with or without colour", () => {
    const { shop, tree } = hostileShop();
    const claim = ["state", "claim", PLAN, "--worktree"];
    const calls: readonly (readonly string[])[] = [
      ["plan", "check", PLAN],
      ["plan", "show", PLAN],
      ["plan", "graph", PLAN],
      ["state", "init", PLAN],
      [...claim, tree],
      [...claim, shop.home],
      ["state", "start", PLAN, "step-0", "--worktree", shop.home],
      ["state", "start", PLAN, "step-0", "--worktree", tree],
      ["state", "complete", PLAN, "step-0", "--worktree", tree],
      [
        "state",
        "artifact",
        PLAN,
        "step-0",
        "--worktree",
        tree,
        "--kind",
        everything,
        "--summary",
        everything,
      ],
      [
        "state",
        "artifact",
        PLAN,
        "step-0",
        "--worktree",
        tree,
        "--kind",
        "auditor_summary",
        "--summary",
        everything,
      ],
      ["state", "update", PLAN, "step-0", "--worktree", tree, "--task", everything, everything],
      ["state", "update", PLAN, "step-0", "--worktree", tree, "--match", everything, "completed"],
      ["state", "update", PLAN, "step-0", "--worktree", tree, "--all", "deferred", "--reason", everything],
      ["state", "show", PLAN],
      ["state", "show"],
      ["state", "ready", PLAN],
      ["explain", PLAN],
      ["explain", PLAN, "step-0"],
      ["state", "complete", PLAN, "step-0", "--worktree", tree, "--force", everything],
      ["state", "reopen", PLAN, "step-0", "--reason", everything],
      ["state", "hold", PLAN, "step-0", "--reason", everything],
      [...claim, tree],
      ["state", "show", PLAN],
      ["state", "ready", PLAN],
      ["explain", PLAN],
      ["state", "events"],
      ["state", "events", "--jsonl"],
      ["state", "artifacts", PLAN, "step-0"],
      ["state", "list"],
      ["state", "show", everything],
      ["state", "init", `${everything}.md`],
      ["state", "start", PLAN, everything, "--worktree", tree],
      ["state", everything],
      [everything],
      ["state", "show", `--${everything}`],
      [...claim, everything],
      ["state", "release", PLAN, "step-0", "--worktree", tree],
      ["doctor"],
    ];
    for (const args of calls) {
      for (const env of [{ NO_COLOR: "1" }, { FORCE_COLOR: "1" }]) {
        const { stdout, stderr, code } = pawl({ cwd: shop.home, env }, ...args);
        const own = "FORCE_COLOR" in env ? /\x1b\[(?:1|2|22|31|32|33|34|36|39)m/g : /(?!)/g;
        const text = (stdout + stderr).replace(own, "");
        expect({ args, code, bad: text.match(/[^\P{C}\n\t]|[\u2028\u2029]/gu) }).toMatchObject({ bad: null });
        expect(code).not.toBe(70);
      }
    }
  });

  it("comes whole out of --json, and written so that it acts on nothing", () => {
    const { shop } = hostileShop();
    const { stdout } = shop.text("state", "show", PLAN, "--json");
    expect(stdout.trimEnd()).toMatch(/^[^\p{C}\u2028\u2029]*$/u);
    const [step] = JSON.parse(stdout).data.plan.steps;
    for (const text of [HOSTILE.clipboard, HOSTILE.cursor, HOSTILE.c1, HOSTILE.bidi, HOSTILE.invisible])
      expect(step.items[0].text).toContain(text);
  });

  it.each([
    ["an escape sequence", "step-\x1b[31m"],
    ["a direction mark", "step-\u202e1"],
    ["a blank", "step 1"],
    ["201 characters", "s".repeat(201)],
  ])("makes no anchor: %s", (_, anchor) => {
    const shop = workshop(null);
    shop.repository.write(PLAN, `#### Step 1: A {#${anchor}}\n`);
    const answer = shop.json("state", "init", PLAN);
    const { stderr, stdout } = shop.text("state", "show", PLAN);
    expect(isPrintable(stdout + stderr)).toBe(true);
    const anchors = (ok(answer.code === 0 ? shop.json("state", "show", PLAN) : shop.json("doctor"))["plan"]?.[
      "steps"
    ] ?? []) as Data[];
    expect(anchors.map((step) => step["anchor"])).not.toContain(anchor);
  });
});
