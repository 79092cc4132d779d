import { describe, expect, it } from "vitest";
import { claim, init, sampleRegistry } from "../../../test/fixtures/sample-commands.ts";
import { commandHelp, generalHelp, groupHelp } from "./help.ts";
import { displayWidth } from "./layout.ts";
import { colourPaint, plainPaint } from "./paint.ts";

const CLAIM_AT_80 = `
Usage: pawl state claim <plan> [options]

Hand one ready step to a worker, with a number that grows and a lease that ends.

The step this worker already holds comes first, then the first by order whose
dependencies are completed.

  pawl state claim plan.md --worktree . --json

Nothing to claim is an answer, not an error: it says for every step why.

Operands:
  <plan>  The plan file

Options:
  --worktree PATH           The worktree that works on the step
  --lease-duration SECONDS  How long others keep their hands off the step unless
                            a heartbeat comes
  --step ANCHOR             This step and no other
  --force                   Ignore lease and owner; for people

Options of every command:
  --json       Print the answer as one line of JSON
  -q, --quiet  Print nothing on stdout for people; errors still appear
  --no-color   Print without colour, as with NO_COLOR
  -h, --help   Show this help

Examples:
  pawl state claim plan.md --worktree .
  pawl state claim plan.md --worktree . --step step-2`;

const CLAIM_AT_40 = `
Usage: pawl state claim <plan> [options]

Hand one ready step to a worker, with a
number that grows and a lease that ends.

The step this worker already holds comes
first, then the first by order whose
dependencies are completed.

  pawl state claim plan.md --worktree . --json

Nothing to claim is an answer, not an
error: it says for every step why.

Operands:
  <plan>  The plan file

Options:
  --worktree PATH
                 The worktree that works
                 on the step
  --lease-duration SECONDS
                 How long others keep
                 their hands off the
                 step unless a heartbeat
                 comes
  --step ANCHOR  This step and no other
  --force        Ignore lease and owner;
                 for people

Options of every command:
  --json       Print the answer as one
               line of JSON
  -q, --quiet  Print nothing on stdout
               for people; errors still
               appear
  --no-color   Print without colour, as
               with NO_COLOR
  -h, --help   Show this help

Examples:
  pawl state claim plan.md --worktree .
  pawl state claim plan.md --worktree . --step step-2`;

const GENERAL = `
pawl 1.2.3
Runs coding agents through the steps of a plan, verifies and commits their work,
and resumes after any crash.

Usage: pawl <command> [options]

Commands:
  init        Prepare a repository
  state       claim, update, show
  commit      Commit with trailers, then complete the step
  completion  Print a completion script

Options of every command:
  --json         Print the answer as one line of JSON
  -q, --quiet    Print nothing on stdout for people; errors still appear
  --no-color     Print without colour, as with NO_COLOR
  -h, --help     Show this help
  -V, --version  Print the version

\`pawl\` alone shows the next command to type; \`pawl help <command>\` explains one.`;

const GROUP = `
Usage: pawl state <command> [options]

Commands:
  state claim   Hand one ready step to a worker, with a number that grows and a
                lease that ends
  state update  Tick items of a step's checklist
  state show    Show where a plan stands

Run \`pawl help state <command>\` for what one command takes.`;

describe("commandHelp", () => {
  it("reads so in 80 columns", () => {
    expect(commandHelp(claim, plainPaint(80))).toBe(CLAIM_AT_80.slice(1));
  });

  it("reads so in 40 columns", () => {
    expect(commandHelp(claim, plainPaint(40))).toBe(CLAIM_AT_40.slice(1));
  });

  it("leaves out what there is none of, and hidden options", () => {
    const help = commandHelp(init, plainPaint(80));
    expect(help).not.toContain("Operands:");
    expect(help).not.toContain("\nOptions:");
    expect(help).toMatch(/^Usage: pawl init\n/);
    expect(commandHelp(claim, plainPaint(80))).not.toContain("--now");
  });

  it("wraps all but what must be copied whole, at any width", () => {
    const copied = new Set([
      ...claim.examples,
      "pawl state claim plan.md --worktree . --json",
      "--lease-duration SECONDS",
    ]);
    for (let columns = 26; columns <= 132; columns += 1) {
      const lines = commandHelp(claim, plainPaint(columns)).split("\n");
      expect(lines.filter((line) => !copied.has(line.trim()) && displayWidth(line) > columns)).toEqual([]);
    }
  });

  it("is the same text with colours as without", () => {
    const coloured = commandHelp(claim, colourPaint(80));
    expect(coloured).toContain("\x1b[1mOptions:\x1b[22m");
    expect(coloured.replaceAll(/\x1b\[\d+m/g, "")).toBe(commandHelp(claim, plainPaint(80)));
  });
});

describe("generalHelp", () => {
  it("lists commands and groups", () => {
    expect(generalHelp({ version: "1.2.3", commands: sampleRegistry() }, plainPaint(80))).toBe(
      GENERAL.slice(1),
    );
  });
});

describe("groupHelp", () => {
  it("lists the commands of one group", () => {
    expect(groupHelp("state", sampleRegistry(), plainPaint(80))).toBe(GROUP.slice(1));
  });
});
