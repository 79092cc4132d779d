import { describe, expect, it } from "vitest";
import type { ProcessEntry, ProcessTable } from "../../ports/process-table.ts";
import { findCommandProcesses, type ProcessSearch } from "./find-command-processes.ts";

const entry = (pid: number, more: Partial<ProcessEntry> = {}): ProcessEntry => ({
  pid,
  parent: 1,
  group: pid,
  session: pid,
  startedAt: "1000",
  hasTerminal: false,
  zombie: false,
  ...more,
});

interface World {
  readonly entries: readonly ProcessEntry[];
  readonly marked?: readonly number[];
  readonly streams?: Readonly<Record<number, readonly string[]>>;
  readonly folders?: Readonly<Record<number, string>>;
  /** In which folder they have files open. */
  readonly touched?: Readonly<Record<number, string>>;
  /** No environment can be read unless it is given here. */
  readonly variables?: Readonly<Record<number, readonly string[]>>;
}

const tableOf = ({
  entries,
  marked = [],
  streams = {},
  folders = {},
  touched = {},
  variables = {},
}: World): ProcessTable => ({
  list: () => entries,
  entry: (pid) => entries.find((found) => found.pid === pid),
  hasVariable: (pid, name, value) => name === "PAWL_SESSION" && value === "s-1" && marked.includes(pid),
  variableNames: (pid) => variables[pid],
  streams: (pid) => streams[pid] ?? [],
  folder: (pid) => folders[pid],
  touches: (pid, folder) => touched[pid] === folder,
  send: () => true,
});

const record = {
  pid: 100,
  startedAt: "1000",
  group: 100,
  session: "s-1",
  bootId: "b",
  hostId: "h",
  streams: ["socket:[7]"],
};
const find = (world: World, search: Partial<ProcessSearch> = {}) => {
  const { entries, group } = findCommandProcesses({
    record,
    table: tableOf(world),
    isChild: false,
    self: 50,
    ...search,
  });
  return { pids: entries.map(({ pid }) => pid), group };
};
const leader = entry(100, { parent: 50 });

describe("what belongs to a command", () => {
  it("is its group, its session, and all below them", () => {
    const entries = [
      leader,
      entry(101, { parent: 100, group: 100, session: 100 }),
      entry(102, { parent: 101, group: 102, session: 100 }),
      entry(103, { parent: 102 }),
      entry(104, { parent: 103 }),
      entry(200),
    ];
    expect(find({ entries })).toEqual({ pids: [100, 101, 102, 103, 104], group: 100 });
  });

  it("is every process that carries its mark, holds its streams or was seen below it", () => {
    const entries = [leader, entry(201), entry(202), entry(203), entry(204), entry(205, { parent: 203 })];
    const world = { entries, marked: [201], streams: { 202: ["/dev/null", "socket:[7]"] } };
    const known = [
      { pid: 203, startedAt: "1000" },
      { pid: 204, startedAt: "999" },
    ];
    expect(find(world, { known }).pids).toEqual([100, 201, 202, 203, 205]);
  });

  it("is not a stranger with its number, nor the stranger's group or children", () => {
    const stranger = entry(100, { startedAt: "2000" });
    const entries = [stranger, entry(101, { parent: 100, group: 100, session: 100, startedAt: "2001" })];
    for (const isChild of [false, true])
      expect(find({ entries }, { isChild })).toEqual({ pids: [], group: undefined });
  });

  it("is not a group whose leader is gone, unless the command is our own child", () => {
    const entries = [entry(101, { group: 100, session: 100, startedAt: "1001" })];
    expect(find({ entries }).pids).toEqual([]);
    expect(find({ entries }, { isChild: true })).toEqual({ pids: [101], group: 100 });
  });

  it("is nothing that is older than the command", () => {
    const entries = [leader, entry(300, { startedAt: "999" })];
    expect(find({ entries, marked: [300] }).pids).toEqual([100]);
  });

  describe("by the folder that was made for it", () => {
    const inFolder = { ...record, folder: "/w/made" };
    const stray = entry(300, { startedAt: "1001" });
    const world = {
      entries: [entry(1, { parent: 0 }), stray],
      folders: { 300: "/w/made/sub" },
      variables: { 300: [] },
    };
    const strays = (more: Partial<World>) => find({ ...world, ...more }, { record: inFolder }).pids;

    it("is an orphan in a session of its own that works there", () => {
      expect(strays({})).toEqual([300]);
      expect(strays({ folders: { 300: "/w/made" } })).toEqual([300]);
    });

    it("is an orphan that went to an ancestor of ours which asked for orphans", () => {
      const entries = [entry(40), entry(50, { parent: 40, session: 40 }), { ...stray, parent: 40 }];
      expect(strays({ entries })).toEqual([300]);
    });

    it("is no process that works elsewhere, or where Pawl made no folder", () => {
      for (const folder of ["/w/made-too", "/w", "/"])
        expect(strays({ folders: { 300: folder } })).toEqual([]);
      expect(find(world).pids).toEqual([]);
    });

    it("is not a person's shell, nor the multiplexer it hangs from", () => {
      expect(strays({ entries: [{ ...stray, hasTerminal: true }] })).toEqual([]);
      expect(strays({ entries: [stray, entry(301, { parent: 300, hasTerminal: true })] })).toEqual([]);
    });

    it("is not the child of a stranger, of ours, or of one above us who has it at hand", () => {
      expect(strays({ entries: [entry(200), { ...stray, parent: 200 }] })).toEqual([]);
      expect(strays({ entries: [entry(50), { ...stray, parent: 50 }] })).toEqual([]);
      const entries = [entry(40), entry(50, { parent: 40 }), { ...stray, parent: 40, session: 40 }];
      expect(strays({ entries })).toEqual([]);
    });

    it("is not what is older than the command", () => {
      expect(strays({ entries: [{ ...stray, startedAt: "999" }] })).toEqual([]);
    });

    it("is only who cleared its environment, not a person's program nor what carries the mark of another", () => {
      expect(strays({ variables: { 300: ["SHLVL", "PWD"] } })).toEqual([300]);
      for (const name of ["USER", "LOGNAME", "PAWL_SESSION"])
        expect(strays({ variables: { 300: ["SHLVL", name] } }), name).toEqual([]);
    });

    it("is who was given a home and nothing else, not whom a desktop or a service manager started", () => {
      expect(strays({ variables: { 300: ["HOME", "PATH"] } })).toEqual([300]);
      for (const name of ["TERM", "DISPLAY", "XDG_RUNTIME_DIR", "INVOCATION_ID", "SSH_CONNECTION"])
        expect(strays({ variables: { 300: ["HOME", "PATH", name] } }), name).toEqual([]);
    });

    it("is who works elsewhere and has files of it open, or names it on its command line", () => {
      const elsewhere = { folders: { 300: "/" }, touched: { 300: "/w/made" } };
      expect(strays(elsewhere)).toEqual([300]);
      expect(strays({ ...elsewhere, variables: { 300: ["HOME", "USER"] } })).toEqual([]);
    });

    it("is no process whose environment cannot be read", () => {
      expect(strays({ variables: {} })).toEqual([]);
    });
  });

  it("is never the process that searches, nor one above it", () => {
    const entries = [
      entry(1, { parent: 0 }),
      entry(40),
      entry(50, { parent: 40 }),
      { ...leader, startedAt: "1000" },
      entry(60, { parent: 50 }),
    ];
    expect(find({ entries, marked: [1, 40, 50, 60] }).pids).toEqual([100, 60]);
  });

  it("is not what is dead already, but what lives below it", () => {
    const entries = [
      { ...leader, zombie: true },
      entry(101, { group: 100, session: 100, startedAt: "1001" }),
    ];
    expect(find({ entries })).toEqual({ pids: [101], group: 100 });
  });
});
