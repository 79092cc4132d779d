import { AGENTS } from "../presets/index.ts";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Failure } from "../../domain/errors.ts";
import { BUILT_IN_WORKFLOWS } from "../../domain/workflow.ts";
import {
  AGENT_FIELDS,
  COMMAND_FIELDS,
  type Fields,
  VERIFY_FIELDS,
  WORKFLOW_FIELDS,
} from "../../platform/config/fields.ts";
import { readSettings } from "../../platform/config/read-settings.ts";
import { agentOf, readRunSettings, type RunSettings, workflowOf } from "./run-settings.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-config-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function read(toml: string): Promise<RunSettings> {
  writeFileSync(join(folder, "pawl.toml"), toml);
  return readRunSettings(await readSettings(join(folder, "pawl.toml")));
}

async function problems(toml: string): Promise<readonly string[]> {
  const error: unknown = await read(toml).catch((caught: unknown) => caught);
  if (!(error instanceof Failure)) throw new Error(`expected a refusal of ${toml}`);
  expect(error.problem).toBe("settings/invalid");
  expect(error.message).toMatch(/^pawl\.toml: /);
  return (error.details["problems"] ?? [error.message]) as readonly string[];
}

describe("the settings of a run", () => {
  it("are complete without a file", async () => {
    const settings = readRunSettings(await readSettings(join(folder, "pawl.toml")));
    expect(settings).toMatchObject({
      agent: undefined,
      workflow: "implement",
      workflows: BUILT_IN_WORKFLOWS,
      verify: {
        command: undefined,
        runCheckpoints: false,
        clean: "auto",
        agent: undefined,
        timeoutMs: 900_000,
        maxTurns: 30,
        extendedMaxTurns: 40,
        stopAfter: 3,
      },
    });
    expect(Object.keys(settings.agents)).toEqual(Object.keys(AGENTS));
    expect(agentOf(settings, "codex")).toMatchObject({ program: ["codex"], args: [], presetName: "codex" });
  });

  it("take agents, workflows and verification from the file", async () => {
    const settings = await read(`
      agent = "fast"
      workflow = "careful"
      [agents.fast]
      preset = "claude"
      model = "haiku"
      args = ["--permission-mode", "bypassPermissions"]
      [agents.codex]
      program = ["/opt/codex", "--profile"]
      [agents.mine]
      preset = "command"
      program = ["./agent.sh"]
      [workflows.careful]
      about = "Careful work"
      [[workflows.careful.commands]]
      name = "do-it"
      type = "implement_spec"
      template = "prompts/do it.md"
      agent = "mine"
      timeout = "1h30m"
      max_turns = 12
      [[workflows.careful.commands]]
      name = "lint"
      type = "lint"
      argv = ["npm", "run", "lint"]
      [verify]
      command = ["npm", "test"]
      run_checkpoints = true
      agent = "codex"
      timeout = "90s"
      max_turns = 50
      stop_after = 5
    `);
    expect(settings).toMatchObject({ agent: "fast", workflow: "careful" });
    expect(agentOf(settings, "fast")).toMatchObject({
      presetName: "claude",
      model: "haiku",
      program: ["claude"],
    });
    expect(agentOf(settings, "codex").program).toEqual(["/opt/codex", "--profile"]);
    expect(workflowOf(settings, "careful")).toEqual({
      name: "careful",
      about: "Careful work",
      perStep: true,
      iterates: false,
      commands: [
        {
          name: "do-it",
          type: "implement_spec",
          work: { template: "prompts/do it.md" },
          agent: "mine",
          timeoutMs: 5_400_000,
          maxTurns: 12,
        },
        {
          name: "lint",
          type: "lint",
          work: { argv: ["npm", "run", "lint"] },
          agent: undefined,
          timeoutMs: 3_600_000,
          maxTurns: undefined,
        },
      ],
    });
    expect(settings.verify).toMatchObject({
      command: ["npm", "test"],
      runCheckpoints: true,
      clean: "auto",
      agent: "codex",
      timeoutMs: 90_000,
      maxTurns: 50,
      extendedMaxTurns: 50,
      stopAfter: 5,
    });
    expect(workflowOf(settings, "improve")).toBe(BUILT_IN_WORKFLOWS.improve);
  });

  it("end what they refuse with one mark", async () => {
    await expect(read('agent = "cluade"')).rejects.toThrow(/did you mean claude\?$/);
    await expect(read('agent = "nobody"')).rejects.toThrow(/there is no agent "nobody"\.$/);
  });

  it("let a table take the place of a built-in workflow", async () => {
    const settings = await read(`
      [[workflows.implement.commands]]
      name = "x"
      type = "custom"
      argv = ["true"]
    `);
    expect(workflowOf(settings, "implement").commands.map(({ name }) => name)).toEqual(["x"]);
  });

  const command = (more: string) => `
    [[workflows.w.commands]]
    name = "a"
    type = "custom"
    ${more}
  `;

  it.each([
    [`agent = "nobody"`, `agent: there is no agent "nobody"`],
    [`agent = "cluade"`, `agent: there is no agent "cluade"; did you mean claude?`],
    [`workflow = "none"`, `workflow: there is no workflow "none"`],
    [`agents = 7`, "agents: must be a table"],
    [`[agents]\nclaude = "x"`, "agents.claude: must be a table"],
    [`[agents.x]\nmodel = "y"`, "agents.x: needs a preset, one of claude, codex"],
    [`[agents.command]\nmodel = "y"`, "agents.command: needs a program"],
    [
      `[agents.claude]\nprogram = "claude -p"`,
      "agents.claude.program: must be a list of texts that starts with",
    ],
    [`[agents.claude]\nprogram = []`, "agents.claude.program: must be a list of texts that starts with"],
    [`[agents.claude]\nargs = [1]`, "agents.claude.args: must be a list of texts"],
    [`[agents.claude]\nmodle = "x"`, "agents.claude.modle: is not known here; known are preset, program"],
    [`[agents."../x"]\npreset = "claude"`, "agents.../x: must be named with"],
    [`[agents.__proto__]\npreset = "claude"`, "agents.__proto__: must be named with"],
    [`[workflows.w]\nabout = "x"`, "workflows.w: needs commands"],
    [`[workflows.w]\ncommands = []`, "workflows.w.commands: must be a list of tables"],
    [`[workflows.w]\ncommands = ["x"]`, "workflows.w.commands[1]: must be a table"],
    [
      `[workflows.w]\niterate = true\n${command('argv = ["x"]')}`,
      "workflows.w.iterate: needs per_step = false",
    ],
    [command(""), "workflows.w.commands[1]: needs exactly one of prompt, template and argv"],
    [command(`prompt = "lint"\nargv = ["x"]`), "needs exactly one of prompt, template and argv"],
    [
      command(`prompt = "lnit"`),
      `workflows.w.commands[1].prompt: there is no prompt "lnit"; there are implement`,
    ],
    [command(`template = "../x.md"`), "workflows.w.commands[1].template: must be a path below"],
    [command(`template = "/etc/passwd"`), "workflows.w.commands[1].template: must be a path below"],
    [
      command(`argv = ["x"]\ntimeout = "10 parsecs"`),
      "timeout: must be a duration such as 90s, 30m or 1h30m",
    ],
    [command(`argv = ["x"]\ntimeout = "0s"`), "timeout: must be a duration"],
    [command(`argv = ["x"]\ntimeout = 90`), "timeout: must be a duration"],
    [command(`prompt = "lint"\nmax_turns = 0`), "max_turns: must be a whole number above 0"],
    [command(`prompt = "lint"\nagent = "bob"`), `agent: there is no agent "bob"; there are claude`],
    [command(`argv = ["x"]\nagent = "claude"`), "agent: has no use beside argv"],
    [command(`argv = ["x"]`).replace("custom", "costum"), "type: must be one of code_review, implement_spec"],
    [command(`argv = ["x"]`).replace('"a"', '"A b"'), "workflows.w.commands[1]: must be named with"],
    [command(`argv = ["x"]`) + command(`argv = ["x"]`), `commands[2].name: is taken: "a" is there already`],
    [`[verify]\ncommand = "npm test"`, "verify.command: must be a list of texts that starts with a program"],
    [`[verify]\nrun_checkpoints = "yes"`, "verify.run_checkpoints: must be true or false"],
    [`[verify]\nagent = "bob"`, `verify.agent: there is no agent "bob"`],
  ])("refuse %j", async (toml, problem) => {
    expect((await problems(toml)).join("\n")).toContain(problem);
  });

  it("tell everything that is wrong at once", async () => {
    const all = await problems(`agent = "x"\n[verify]\nfoo = 1\nbar = 2\n[workflows.w]\n`);
    expect(all).toHaveLength(4);
  });

  it("do not keep other verbs from reading the file", async () => {
    writeFileSync(join(folder, "pawl.toml"), `remote = "up"\n[workflows]\nbroken = 7\n`);
    expect(await readSettings(join(folder, "pawl.toml"))).toMatchObject({
      remote: "up",
      tables: { workflows: { broken: 7 } },
    });
  });

  it("name what there is when a workflow or an agent is not", async () => {
    const settings = await read("");
    expect(() => workflowOf(settings, "nope")).toThrow('There is no workflow "nope".');
    expect(() => workflowOf(settings, "constructor")).toThrow("There is no workflow");
    expect(() => agentOf(settings, "nope")).toThrow(/^There is no agent "nope"\.$/);
    expect(() => agentOf(settings, "claud")).toThrow('There is no agent "claud". Did you mean claude?');
    expect(() => agentOf(settings, "command")).toThrow(
      expect.objectContaining({
        message: 'The agent "command" has no program to run.',
        hint: expect.stringContaining("`pawl run plan.md -- ./my-agent`"),
      }),
    );
  });
});

describe("the examples of the reference", () => {
  it.each([
    ["agents.claude", AGENT_FIELDS],
    ["verify", VERIFY_FIELDS],
    ["x", WORKFLOW_FIELDS],
    ["x", COMMAND_FIELDS],
  ] as [string, Fields][])("of [%s] are read by their own fields", async (table, fields) => {
    const { parse } = await import("smol-toml");
    for (const [name, { example, read: readField }] of Object.entries(fields)) {
      if (example.startsWith("[[")) continue;
      const value = parse(`[${table}]\n${example}`);
      const found = table
        .split(".")
        .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], value);
      expect(readField((found as Record<string, unknown>)[name]), example).toBeDefined();
    }
  });
});
