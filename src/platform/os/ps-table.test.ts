import { describe, expect, it } from "vitest";
import { bootSession } from "./machine-identity.ts";
import { processByPs } from "./proc-processes.ts";
import { psTable, type RunProgram } from "./ps-table.ts";
import { findCommandProcesses } from "./supervise/find-command-processes.ts";

/** As macOS prints them. 700 is a run, 710 its agent, 720 a server that left the agent's group, 730 a person's shell. */
const TABLE = `
    1     0     1 Ss   ??       Mon Nov 16 08:00:01 2026
  640   639   640 S+   ttys001  Tue Nov 17 09:00:00 2026
  700   640   700 S+   ttys001  Tue Nov 17 09:15:02 2026
  710   700   710 Ss   ??       Tue Nov 17 09:15:04 2026
  715   710   710 R    ??       Tue Nov 17 09:15:05 2026
  720     1   720 Ss   ??       Tue Nov 17 09:15:06 2026
  725     1   725 T    ??       Tue Nov 17 09:15:06 2026
  730     1   730 Ss   ??       Tue Nov 17 09:15:07 2026
  740   700   700 Z+   ttys001  Tue Nov 17 09:15:08 2026
`;

const COMMANDS = `
    1 /sbin/launchd
  640 -zsh
  700 node /usr/local/bin/pawl run plan.md
  710 claude -p Do step 1
  720 node server.js --port=80
  725 node held.js
  730 /Applications/Editor.app/Contents/MacOS/Editor
  740 (git)
`;

/** The environment stands behind the command. The system shows none for its own programs. */
const WITH_ENVIRONMENT = `
    1 /sbin/launchd
  640 -zsh HOME=/Users/ada TERM=xterm-256color
  700 node /usr/local/bin/pawl run plan.md HOME=/Users/ada PATH=/usr/bin:/bin
  710 claude -p Do step 1 PATH=/usr/bin:/bin PAWL_SESSION=s-1 PAWL_WORKTREE=/Users/ada/my shop/.pawl/worktrees/w1 LANG=C
  720 node server.js --port=80 PATH=/usr/bin:/bin PAWL_SESSION=s-1
  725 node held.js NOTE=see PAWL_SESSION=s-1 and more
  730 /Applications/Editor.app/Contents/MacOS/Editor HOME=/Users/ada USER=ada
  740 (git)
`;

const FILES = `p700
f0
tCHR
d0x10000003
n/dev/ttys001
f1
tPIPE
d0x9d4a51f1f2c6d6d9
n->0x7f4e3a8c9d2b1a05
p720
fcwd
tDIR
d0x1000010
n/Users/ada/my shop/.pawl/worktrees/w1
f1
tPIPE
d0x9d4a51f1f2c6d6d9
n->0x7f4e3a8c9d2b1a05
p730
fcwd
tDIR
d0x1000010
n/
`;

const OF_730 = `p730
fcwd
tDIR
d0x1000010
n/
f12u
tREG
d0x1000010
n/Users/ada/my shop/.pawl/worktrees/w1/notes.md
`;

const recorded: RunProgram = (program, args) => {
  const line = args.join(" ");
  if (program === "lsof")
    return line.includes("-p 730") ? OF_730 : line.includes("-d cwd,0,1,2") ? FILES : "";
  if (line.includes("-E ")) return WITH_ENVIRONMENT;
  if (line.includes("command=")) return COMMANDS;
  const only = /^-p (\d+)/.exec(line)?.[1];
  return only === undefined
    ? TABLE
    : TABLE.split("\n")
        .filter((one) => one.trim().startsWith(`${only} `))
        .join("\n");
};

describe("the table of a system without /proc", () => {
  const table = psTable(recorded);

  it("has parents, groups, starts, terminals, and what is dead or stopped", () => {
    expect(table.list()).toHaveLength(9);
    expect(table.entry(710)).toEqual({
      pid: 710,
      parent: 700,
      group: 710,
      session: 710,
      startedAt: String(Date.UTC(2026, 10, 17, 9, 15, 4)),
      hasTerminal: false,
      zombie: false,
      stopped: false,
    });
    expect(table.entry(640)).toMatchObject({ hasTerminal: true });
    expect(table.entry(740)).toMatchObject({ zombie: true });
    expect(table.entry(999)).toBeUndefined();
  });

  it("tells a process from another that has its number later", () => {
    expect(processByPs(table, 725)).toMatchObject({ stopped: true, zombie: false });
    expect(processByPs(table, 999)).toBe("gone");
    // Where `ps` cannot be started, nothing is known, and that is no death.
    expect(
      processByPs(
        psTable(() => undefined),
        725,
      ),
    ).toBeUndefined();
  });

  it("reads what a process was started with, values with spaces too", () => {
    expect(table.variable(710, "PAWL_WORKTREE")).toBe("/Users/ada/my shop/.pawl/worktrees/w1");
    expect(table.hasVariable(710, "PAWL_SESSION", "s-1")).toBe(true);
    expect(table.hasVariable(710, "PAWL_SESSION", "s-11")).toBe(false);
    expect(table.hasVariable(700, "PAWL_SESSION", "s-1")).toBe(false);
    expect(table.variableNames(730)).toEqual(["HOME", "USER"]);
    // Not shown is not empty.
    expect(table.variableNames(1)).toBeUndefined();
  });

  it("reads where a process works, which files it has open and what its streams are", () => {
    expect(table.folder(720)).toBe("/Users/ada/my shop/.pawl/worktrees/w1");
    expect(table.folder(710)).toBeUndefined();
    expect(table.touches(730, "/Users/ada/my shop/.pawl/worktrees/w1")).toBe(true);
    expect(table.touches(730, "/Users/ada/my shop/.pawl/worktrees/w")).toBe(false);
    expect(table.streams(720)).toEqual(["PIPE 0x9d4a51f1f2c6d6d9 ->0x7f4e3a8c9d2b1a05"]);
  });

  it("finds what an agent started, also when it left group and parent, and leaves a person's editor alone", () => {
    const { entries } = findCommandProcesses({
      record: {
        pid: 710,
        group: 710,
        startedAt: table.entry(710)!.startedAt,
        session: "s-1",
        streams: [],
        folder: "/Users/ada/my shop/.pawl/worktrees/w1",
      } as unknown as Parameters<typeof findCommandProcesses>[0]["record"],
      table,
      isChild: false,
      self: 700,
    });
    expect(entries.map(({ pid }) => pid)).toEqual([710, 715, 720]);
  });
});

it.each([
  ["8B0C9F7E-1D5A-4E57-9C1B-2F0E3A7D6C55\n", "8B0C9F7E-1D5A-4E57-9C1B-2F0E3A7D6C55"],
  ["", undefined],
  [undefined, undefined],
])("reads the start of the machine that sysctl prints as %j", (printed, id) => {
  const run: RunProgram = (program, args) =>
    program === "sysctl" && args.join(" ") === "-n kern.bootsessionuuid" ? printed : "another question";
  expect(bootSession(run)).toBe(id);
});
