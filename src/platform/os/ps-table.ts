import type { ProcessEntry, ProcessTable } from "../ports/index.ts";
import { sendSignal } from "./send-signal.ts";

/** What a program prints; undefined where it cannot be started. */
export type RunProgram = (program: string, args: readonly string[]) => string | undefined;

/** An entry, and whether a signal has stopped the process. */
export interface PsEntry extends ProcessEntry {
  readonly stopped: boolean;
}

/** The table of systems without `/proc`, such as macOS: `ps` and `lsof` read it. */
export interface PsTable extends ProcessTable {
  /** Undefined where the system has no `ps`; null where the process is gone. */
  readonly look: (pid: number) => PsEntry | null | undefined;
  /** The value that a process was started with. */
  readonly variable: (pid: number, name: string) => string | undefined;
}

/**
 * Environments and streams are read once for each `list`, for all processes together: a program for each process would
 * take seconds.
 */
export function psTable(run: RunProgram): PsTable {
  let environments: ReadonlyMap<number, string> | undefined;
  let files: ReadonlyMap<number, readonly OpenFile[]> | undefined;
  const environmentOf = (pid: number) => (environments ??= readEnvironments(run)).get(pid);
  const filesOf = (pid: number) => (files ??= openFiles(run, ["-d", "cwd,0,1,2"])).get(pid) ?? [];
  const look = (pid: number): PsEntry | null | undefined => {
    const text = run("ps", ["-p", String(pid), ...COLUMNS]);
    return text === undefined ? undefined : (entriesIn(text)[0] ?? null);
  };
  const variable = (pid: number, name: string) => valueIn(environmentOf(pid) ?? "", name);
  return {
    list() {
      environments = files = undefined;
      return entriesIn(run("ps", ["-A", ...COLUMNS]) ?? "");
    },
    entry: (pid) => look(pid) ?? undefined,
    look,
    variable,
    hasVariable: (pid, name, value) => variable(pid, name) === value,
    variableNames: (pid) => namesIn(environmentOf(pid)),
    streams: (pid) =>
      filesOf(pid)
        .filter(({ fd }) => fd !== "cwd")
        .map(({ type, device, name }) => `${type} ${device} ${name}`),
    folder: (pid) => filesOf(pid).find(({ fd }) => fd === "cwd")?.name,
    touches: (pid, folder) => {
      const all = openFiles(run, ["-p", String(pid)]).get(pid) ?? [];
      return all.some(({ name }) => name.startsWith(`${folder}/`));
    },
    send: sendSignal,
  };
}

const COLUMNS = ["-o", "pid=,ppid=,pgid=,state=,tty=,lstart="];

/** `  501     1   501 Ss   ??       Tue Nov 17 09:15:02 2026` */
const entriesIn = (text: string): readonly PsEntry[] =>
  text.split("\n").flatMap((line) => {
    const [pid, parent, group, state, terminal, ...started] = line.trim().split(/\s+/);
    if (started.length === 0) return [];
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      // `ps` prints no session that can be compared; the group stands in for it.
      session: Number(group),
      startedAt: String(Date.parse(`${started.join(" ")} UTC`)),
      hasTerminal: !terminal!.startsWith("?"),
      zombie: state!.startsWith("Z"),
      stopped: state!.startsWith("T"),
    };
  });

/**
 * What each process was started with: `NAME=value NAME=value`, without its command.
 *
 * `ps -E` prints it behind the command, so it is printed with and without. The system keeps the environment of its own
 * programs to itself: then nothing is known of it.
 */
function readEnvironments(run: RunProgram): ReadonlyMap<number, string> {
  const commands = linesByPid(run("ps", ["-A", "-ww", "-o", "pid=,command="]));
  const both = linesByPid(run("ps", ["-A", "-E", "-ww", "-o", "pid=,command="]));
  return new Map(
    [...both].flatMap(([pid, line]) => {
      const command = commands.get(pid);
      return command !== undefined && line.startsWith(`${command} `)
        ? [[pid, line.slice(command.length + 1)] as const]
        : [];
    }),
  );
}

const linesByPid = (text = ""): ReadonlyMap<number, string> =>
  new Map(
    text.split("\n").flatMap((line) => {
      const [, pid, rest] = /^\s*(\d+) (.*)$/s.exec(line.trimEnd()) ?? [];
      return pid === undefined ? [] : [[Number(pid), rest!] as const];
    }),
  );

/** A value may have spaces in it, so it ends where the next variable begins. */
const valueIn = (environment: string, name: string): string | undefined =>
  ` ${environment}`.split(` ${name}=`)[1]?.split(/ [A-Za-z_]\w*=/)[0];

/** At least these: a value may look like more. Undefined where the text is no environment. */
function namesIn(environment: string | undefined): readonly string[] | undefined {
  if (environment === undefined || !/^[A-Za-z_]\w*=/.test(environment)) return undefined;
  return [...environment.matchAll(/(?:^| )([A-Za-z_]\w*)=/g)].map(([, name]) => name!);
}

interface OpenFile {
  readonly fd: string;
  readonly type: string;
  readonly device: string;
  readonly name: string;
}

/** Of this user's processes alone: the superuser may read those of every user, and they are none of ours. */
function openFiles(run: RunProgram, which: readonly string[]): ReadonlyMap<number, readonly OpenFile[]> {
  const user = ["-a", "-u", String(process.getuid?.() ?? 0)];
  const text = run("lsof", ["-w", "-n", "-P", ...user, ...which, "-F", "pftdn"]) ?? "";
  const found = new Map<number, OpenFile[]>();
  let files: OpenFile[] = [];
  let file = { fd: "", type: "", device: "", name: "" };
  // One field a line, by its first letter: `p` begins a process, `f` a file of it.
  for (const line of text.split("\n")) {
    const [field, value] = [line[0], line.slice(1)];
    if (field === "p") found.set(Number(value), (files = []));
    else if (field === "f") files.push((file = { fd: value, type: "", device: "", name: "" }));
    else if (field === "t") file.type = value;
    else if (field === "d") file.device = value;
    else if (field === "n") file.name = value;
  }
  return found;
}

/** In English and in one time zone, so that a start reads the same for every process of Pawl. */
export const runProgram: RunProgram = (program, args) => {
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { stdout, error } = spawnSync(program, args, {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C", TZ: "UTC" },
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return error === undefined ? stdout : undefined;
};
