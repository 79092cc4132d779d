import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callPawl } from "../../../test/fixtures/fake-host.ts";
import { sampleRegistry } from "../../../test/fixtures/sample-commands.ts";
import { defineCommand } from "../command.ts";

const isInstalled = (shell: string): boolean => spawnSync(shell, ["-c", "exit 0"]).status === 0;

// Everything a shell could take for something else, in every text of the table that comes from people.
const tricky = defineCommand({
  name: "state tricky",
  about: 'It\'s "odd": $(touch canary) `touch canary` [x] \\ ; touch canary',
  operands: [{ name: "it's…", about: "$(touch canary)", required: false }],
  options: {
    odd: {
      type: "text",
      value: "A'B[$(touch canary)]:",
      about: "[a]: 'b' \"c\" $(touch canary)\\",
      choices: ["it's", "$(touch canary)", "a b", "(touch canary)", "c:d"],
    },
  },
  examples: [],
  run: async () => ({ data: {}, text: () => "" }),
});

let folder: string;
const script: Record<string, string> = {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "pawl completion "));
  mkdirSync(join(folder, "docs"));
  for (const name of ["my plan.md", "other.md", "it's.md"]) writeFileSync(join(folder, "docs", name), "");
  for (const shell of ["bash", "zsh", "fish", "powershell"]) {
    const { code, out } = await callPawl(["completion", shell], { commands: sampleRegistry(tricky) });
    expect(code).toBe(0);
    script[shell] = join(folder, `pawl.${shell}`);
    writeFileSync(script[shell], out);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (command: string, args: readonly string[]) =>
  spawnSync(command, args, {
    cwd: join(folder, "docs"),
    encoding: "utf8",
    env: { ...process.env, HOME: folder },
  });

describe("pawl completion", () => {
  it("refuses a shell it has no script for", async () => {
    const { code, err } = await callPawl(["completion", "tcsh"]);
    expect(code).toBe(2);
    expect(err).toContain('pawl completion: there is no script for "tcsh"');
    expect(err).toContain("  shells: bash, zsh, fish, powershell\n");
  });

  it("gives the script as data too", async () => {
    const { out } = await callPawl(["completion", "bash", "--json"]);
    expect(JSON.parse(out)).toMatchObject({
      data: { shell: "bash", script: expect.stringContaining("complete -F _pawl pawl") },
    });
  });

  it("mentions no hidden option", async () => {
    for (const shell of ["bash", "zsh", "fish", "powershell"])
      expect((await callPawl(["completion", shell])).out).not.toMatch(/\bnow\b/);
  });
});

describe.skipIf(!isInstalled("bash"))("in bash", () => {
  /** What bash would offer for the last of these words, as it splits them. */
  function offers(...words: string[]): readonly string[] {
    const program = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pawl; ((\${#COMPREPLY[@]})) && printf '%s\\n' "\${COMPREPLY[@]}"; exit 0`;
    const { stdout, stderr, status } = run("bash", [
      "--norc",
      "-uc",
      program,
      "bash",
      script["bash"] ?? "",
      "pawl",
      ...words,
    ]);
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    return stdout.split("\n").filter((line) => line !== "");
  }

  const FILES = ["it's.md", "my plan.md", "other.md"];

  it("offers commands, groups and their commands", () => {
    expect(offers("")).toEqual(["init", "state", "commit", "completion", "help"]);
    expect(offers("co")).toEqual(["commit", "completion"]);
    expect(offers("state", "")).toEqual(["claim", "update", "show", "tricky"]);
    expect(offers("help", "state", "cl")).toEqual(["claim"]);
    expect(offers("--json", "state", "cl")).toEqual(["claim"]);
  });

  it("offers the options of the command at hand", () => {
    expect(offers("state", "claim", "p.md", "--")).toEqual([
      "--worktree",
      "--lease-duration",
      "--step",
      "--force",
      "--json",
      "--quiet",
      "--no-color",
      "--help",
    ]);
    expect(offers("--j")).toEqual(["--json"]);
    expect(offers("state", "claim", "--", "--")).toEqual([]);
  });

  it("offers files for a plan, names with spaces and quotes whole", () => {
    expect(offers("state", "claim", "").toSorted()).toEqual(FILES);
    expect(offers("state", "claim", "my")).toEqual(["my plan.md"]);
    expect(offers("state", "claim", "--worktree", "").toSorted()).toEqual(FILES);
    expect(offers("state", "claim", "--worktree", "=", "my")).toEqual(["my plan.md"]);
    expect(offers("state", "claim", "--worktree", "=").toSorted()).toEqual(FILES);
    expect(offers("commit", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "").toSorted()).toEqual(FILES);
  });

  it("offers nothing where it cannot know", () => {
    expect(offers("state", "update", "p.md", "")).toEqual([]);
    expect(offers("state", "claim", "p.md", "")).toEqual([]);
    expect(offers("state", "frobnicate", "x")).toEqual([]);
    expect(offers("state", "claim", "a", ":", "b")).toEqual([]);
  });

  it("offers choices, for a pair as its second value in each form", () => {
    const STATUSES = ["open", "in_progress", "completed", "deferred"];
    expect(offers("state", "update", "p", "s", "--all", "")).toEqual(["open", "completed"]);
    expect(offers("state", "update", "p", "s", "--task", "")).toEqual([]);
    expect(offers("state", "update", "p", "s", "--task", "1", "")).toEqual(STATUSES);
    expect(offers("state", "update", "p", "s", "--task", "1", ":")).toEqual(STATUSES);
    expect(offers("state", "update", "p", "s", "--task", "=", "1", ":", "c")).toEqual(["completed"]);
    expect(offers("state", "update", "p", "s", "--task", "1", "open", "--task", "-2", "d")).toEqual([
      "deferred",
    ]);
    expect(offers("completion", "")).toEqual(["bash", "zsh", "fish", "powershell"]);
  });

  it("runs nothing that stands in a text", () => {
    expect(offers("state", "tricky", "--odd", "")).toEqual([
      "it's",
      "$(touch canary)",
      "a b",
      "(touch canary)",
      "c:d",
    ]);
    expect(existsSync(join(folder, "docs", "canary"))).toBe(false);
  });
});

describe.skipIf(!isInstalled("zsh"))("in zsh", () => {
  it("is a script without errors that defines its function", () => {
    const program =
      "autoload -Uz compinit && compinit -u -D && source $1 && print -- $_comps[pawl] $+functions[_pawl_state_claim]";
    expect(run("zsh", ["-n", script["zsh"] ?? ""])).toMatchObject({ status: 0, stderr: "" });
    expect(run("zsh", ["-f", "-c", program, "zsh", script["zsh"] ?? ""])).toMatchObject({
      stdout: "_pawl 1\n",
      stderr: "",
    });
    expect(existsSync(join(folder, "docs", "canary"))).toBe(false);
  });
});

describe.skipIf(!isInstalled("fish"))("in fish", () => {
  function offers(line: string): readonly string[] {
    const program = `source $argv[1]; complete -C $argv[2]`;
    const { stdout, stderr } = run("fish", ["--no-config", "-c", program, script["fish"] ?? "", line]);
    expect(stderr).toBe("");
    return stdout
      .split("\n")
      .filter((offer) => offer !== "")
      .map((offer) => offer.replace(/\t.*/, ""));
  }

  it("offers commands, options, choices and files", () => {
    expect(offers("pawl state c")).toEqual(["claim"]);
    expect(offers("pawl help state c")).toEqual(["claim"]);
    expect(offers("pawl state claim --w")).toEqual(["--worktree"]);
    expect(offers("pawl state claim m")).toEqual(["my plan.md"]);
    expect(offers("pawl state claim --worktree m")).toEqual(["my plan.md"]);
    expect(offers("pawl state update p s --all ").toSorted()).toEqual(["completed", "open"]);
    expect(offers("pawl state update p s --task 1 d")).toEqual(["deferred"]);
    expect(offers("pawl state update p s --task ")).toEqual([]);
    expect(offers("pawl state update p ")).toEqual([]);
    expect(offers("pawl commit a b o")).toEqual(["other.md"]);
  });

  it("runs nothing that stands in a text", () => {
    expect(offers("pawl state tricky --odd ").toSorted()).toEqual([
      "$(touch canary)",
      "(touch canary)",
      "a b",
      "c:d",
      "it's",
    ]);
    expect(offers("pawl state tr")).toEqual(["tricky"]);
    expect(existsSync(join(folder, "docs", "canary"))).toBe(false);
  });
});

describe("in PowerShell", () => {
  const text = (): string => readFileSync(script["powershell"]!, "utf8");

  it("offers each group, its words, and the options of each command", () => {
    expect(text()).toMatch(/'state' = @\('[\w-]+', /);
    expect(text()).toContain("'state tricky' = @('--odd', ");
    expect(text()).toContain("'state tricky --odd' = 1");
  });

  it("keeps every text of the table inside single quotes, where nothing is expanded", () => {
    // What is left once the quoted texts are gone is the program itself.
    const program = text().replaceAll(/'(?:[^']|'')*'/g, "''");
    expect(program).not.toContain("canary");
    expect(program).not.toContain("tricky");
    expect(text()).toContain("'it''s'");
  });

  it.skipIf(!isInstalled("pwsh"))("offers what fits the word", () => {
    const complete = (line: string) =>
      `(TabExpansion2 '${line}' ${line.length}).CompletionMatches | ForEach-Object ListItemText`;
    const { stdout } = run("pwsh", ["-NoProfile", "-Command", `${text()}\n${complete("pawl state tri")}`]);
    expect(stdout.trim()).toBe("tricky");
  });
});
