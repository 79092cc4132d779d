import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { parseArgs } from "../../src/cli/parse-args.ts";
import { workerCalls } from "../../src/cli/worker-calls.ts";
import { toldCommands, AGENT_COMMANDS } from "../../src/cli/agent-commands.ts";

const ALONE = { inRun: false };
const IN_RUN = { inRun: true };

describe("the calls that prime prints", () => {
  it.each(toldCommands(ALONE))("%s is a command, and takes what is printed", async (name) => {
    const command = await COMMANDS[name]!.load();
    const calls = await workerCalls({ plan: "plan.md", step: "step-1" }, ALONE);
    const call = calls[toldCommands(ALONE).indexOf(name)]!;
    expect(call.about).toBe(command.about);
    const words = call.usage.split(" ").slice(1 + name.split(" ").length);
    const { operands, values } = parseArgs(command, words);
    for (const operand of command.operands.filter(({ required }) => required))
      expect(operands.length, operand.name).toBeGreaterThan(0);
    if (command.options["worktree"]) expect(values).toMatchObject({ worktree: "." });
  });

  it("leave out what a run does for its agents", async () => {
    const calls = await workerCalls({}, IN_RUN);
    expect(calls.map(({ usage }) => usage).join("\n")).not.toMatch(/pawl (?:commit|state (?:claim|release))/);
    expect(toldCommands(IN_RUN)).toEqual(toldCommands(ALONE).filter((name) => AGENT_COMMANDS[name].inRun));
  });

  it("are all commands", () => {
    for (const name of Object.keys(AGENT_COMMANDS)) expect(COMMANDS[name], name).toBeDefined();
  });
});
