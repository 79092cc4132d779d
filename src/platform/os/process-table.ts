import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import type { ProcessEntry, ProcessTable } from "../ports/index.ts";
import { parseProcStat, type ProcStat } from "./proc-stat.ts";

/** The table in `/proc`, with everything that the kernel knows. */
export const procTable: ProcessTable = {
  list: () =>
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => procEntry(Number(name)))
      .filter((entry) => entry !== undefined),
  entry: procEntry,
  hasVariable: (pid, name, value) =>
    textOf(`/proc/${pid}/environ`)?.split("\0").includes(`${name}=${value}`) ?? false,
  variableNames,
  streams: (pid) =>
    [0, 1, 2].map((fd) => linkOf(`/proc/${pid}/fd/${fd}`)).filter((link) => link !== undefined),
  folder: (pid) => (isOurs(pid) ? linkOf(`/proc/${pid}/cwd`)?.replace(/ \(deleted\)$/, "") : undefined),
  touches: (pid, folder) =>
    isOurs(pid) &&
    (openFiles(pid).some((path) => path.startsWith(`${folder}/`)) ||
      names(textOf(`/proc/${pid}/cmdline`) ?? "", asBytes(folder))),
  send,
};

/** The table as `ps` prints it: no environments, streams or folders, so only families and groups are known. */
export const psTable: ProcessTable = {
  list: () => readPs(["-A"]),
  entry: (pid) => readPs(["-p", String(pid)])[0],
  hasVariable: () => false,
  variableNames: () => undefined,
  streams: () => [],
  folder: () => undefined,
  touches: () => false,
  send,
};

export const processTable: ProcessTable = process.platform === "linux" ? procTable : psTable;

function procEntry(pid: number): ProcessEntry | undefined {
  const stat = statOf(pid);
  if (stat === undefined) return undefined;
  const { fields, startedAt, zombie } = stat;
  return {
    pid,
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    startedAt,
    hasTerminal: fields[4] !== "0",
    zombie,
  };
}

/**
 * Nothing is made of what a process may have written over: many put their title where their environment was. And one that
 * is just being started has no environment for a moment, so only what the kernel knows to be empty is.
 */
function variableNames(pid: number): readonly string[] | undefined {
  const text = textOf(`/proc/${pid}/environ`);
  if (text === undefined) return undefined;
  if (text === "") {
    const [code, start, end] = [23, 47, 48].map((field) => statOf(pid)?.fields[field]);
    return code !== "0" && start !== "0" && start !== undefined && start === end ? [] : undefined;
  }
  const variables = text.replace(/\0$/, "").split("\0");
  const names = variables.map((variable) => /^[^=]+(?==)/.exec(variable)?.[0]);
  return names.every((name) => name !== undefined) ? names : undefined;
}

function statOf(pid: number): ProcStat | undefined {
  const text = textOf(`/proc/${pid}/stat`);
  return text === undefined ? undefined : parseProcStat(text);
}

function readPs(which: readonly string[]): readonly ProcessEntry[] {
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { stdout } = spawnSync("ps", [...which, "-o", "pid=,ppid=,pgid=,state=,tty=,lstart="], {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C", TZ: "UTC" },
    maxBuffer: 64 * 1024 * 1024,
  });
  return (stdout ?? "").split("\n").flatMap((line) => {
    const [pid, parent, group, state, terminal, ...started] = line.trim().split(/\s+/);
    if (started.length === 0) return [];
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      // Not told; the group stands in for it.
      session: Number(group),
      startedAt: String(Date.parse(`${started.join(" ")} UTC`)),
      hasTerminal: !terminal!.startsWith("?"),
      zombie: state!.startsWith("Z"),
    };
  });
}

function openFiles(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => linkOf(`/proc/${pid}/fd/${fd}`) ?? []);
  } catch {
    return [];
  }
}

/** Whether a text has the name of a folder in it, and not only the beginning of a longer one. */
const names = (text: string, folder: string): boolean =>
  text
    .split(folder)
    .slice(1)
    .some((rest) => !/^[\w.-]/.test(rest));

/** As `textOf` reads it: one character for each byte. */
const asBytes = (text: string): string => Buffer.from(text).toString("latin1");

/** The superuser may look at everybody's, and they are none of ours either. */
function isOurs(pid: number): boolean {
  try {
    return statSync(`/proc/${pid}`).uid === process.getuid?.();
  } catch {
    return false;
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function send(target: number, signal: NodeJS.Signals): boolean {
  // 0 and -1 mean "my own group" and "everybody": never what is wanted here.
  if (!Number.isInteger(target) || Math.abs(target) <= 1) return false;
  try {
    process.kill(target, signal);
    return true;
  } catch {
    return false;
  }
}
