import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import type { ProcessEntry, ProcessTable } from "../ports/index.ts";
import { parseProcStat, type ProcStat } from "./proc-stat.ts";
import { psTable, runProgram } from "./ps-table.ts";
import { sendSignal } from "./send-signal.ts";

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
  send: sendSignal,
};

/** Reads `ps` and `lsof`. */
export const programTable = psTable(runProgram);

export const processTable: ProcessTable = process.platform === "linux" ? procTable : programTable;

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
  // After each command all processes are read, and Node reads UTF-8 several times as fast. Only the name may be none.
  const text = textOf(`/proc/${pid}/stat`, "utf8");
  return text === undefined ? undefined : parseProcStat(text);
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

function textOf(path: string, encoding: "latin1" | "utf8" = "latin1"): string | undefined {
  try {
    return readFileSync(path, encoding);
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
