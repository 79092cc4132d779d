import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, realpathSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { procTable, programTable } from "./process-table.ts";

describe.each([
  ["/proc", procTable],
  ["ps", programTable],
])("the table of %s", (_name, table) => {
  it("knows this process and its parent", () => {
    const found = table.entry(process.pid);
    expect(found).toMatchObject({ pid: process.pid, parent: process.ppid, zombie: false });
    expect(Number(found!.startedAt)).toBeGreaterThan(0);
    expect(table.list()).toContainEqual(found);
  });

  it("knows no process that is not there", () => {
    expect(table.entry(4_100_000)).toBeUndefined();
  });

  it("knows a group of its own, and that it is gone", async () => {
    const child = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
    const pid = child.pid!;
    expect(table.entry(pid)).toMatchObject({ group: pid, session: pid, parent: process.pid });
    expect(table.send(-pid, "SIGKILL")).toBe(true);
    await once(child, "exit");
    expect(table.entry(pid)).toBeUndefined();
    expect(table.send(pid, "SIGKILL")).toBe(false);
  });

  it("never sends to every process or to our own group", () => {
    for (const target of [0, 1, -1, Number.NaN, 1.5]) expect(table.send(target, "SIGCONT")).toBe(false);
  });
});

it("sees a variable as a whole and only as it is", async () => {
  const child = spawn("sleep", ["1000"], { env: { PAWL_SESSION: "s-1", OTHER: "PAWL_SESSION=s-2" } });
  await once(child, "spawn");
  const has = (value: string) => procTable.hasVariable(child.pid!, "PAWL_SESSION", value);
  expect([has("s-1"), has("s-2"), has("s-"), has("s-11")]).toEqual([true, false, false, false]);
  expect(procTable.streams(child.pid!).every((stream) => stream.startsWith("socket:"))).toBe(true);
  expect(procTable.variableNames(child.pid!)).toEqual(["PAWL_SESSION", "OTHER"]);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(has("s-1")).toBe(false);
  expect(procTable.variableNames(child.pid!)).toBeUndefined();
});

const PERL = "/usr/bin/perl";

// Perl puts a new title over its arguments, and over its environment where that is longer.
it.each([
  ["is empty", process.execPath, 'console.log("ready"); setInterval(() => {}, 1000)', {}, []],
  ["was written over", PERL, '$| = 1; $0 = "t" x 4000; print "ready"; sleep 1000', { HOME: "/h" }, undefined],
] as const)("knows of an environment that it %s", async (_how, program, script, env, names) => {
  if (!existsSync(program)) return;
  const child = spawn(program, ["-e", script], { env });
  await once(child.stdout, "data");
  expect(procTable.variableNames(child.pid!)).toEqual(names);
  child.kill("SIGKILL");
  await once(child, "exit");
});

it("sees where a process of ours works", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pawl-table-")));
  const child = spawn("sleep", ["1000"], { cwd: folder, stdio: "ignore" });
  await once(child, "spawn");
  expect(procTable.folder(child.pid!)).toBe(folder);
  rmdirSync(folder);
  expect(procTable.folder(child.pid!)).toBe(folder);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(procTable.folder(child.pid!)).toBeUndefined();
  // Its user is read from the table, for the superuser may read those of every user.
  if (process.getuid?.() !== 0) expect(procTable.folder(1)).toBeUndefined();
});

it("sees who has files of a folder open, or names it on the command line", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pawl-table-")));
  const opener = spawn("sh", ["-c", 'exec 3>"$FILE"; echo ready; exec sleep 1000'], {
    cwd: "/",
    env: { ...process.env, FILE: `${folder}/a` },
  });
  await once(opener.stdout, "data");
  const namer = spawn("sh", ["-c", "echo ready; read -r line", folder], { cwd: "/" });
  await once(namer.stdout, "data");
  for (const { pid } of [opener, namer]) {
    expect(procTable.touches(pid!, folder)).toBe(true);
    // The name of a longer one begins like this.
    expect(procTable.touches(pid!, folder.slice(0, -1))).toBe(false);
  }
  for (const child of [opener, namer]) {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  rmSync(folder, { recursive: true });
});
