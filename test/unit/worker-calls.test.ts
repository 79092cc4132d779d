import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { parseArgs } from "../../src/cli/parse-args.ts";
import { workerCalls } from "../../src/cli/worker-calls.ts";
import { listedCommands, AGENT_COMMANDS } from "../../src/cli/agent-commands.ts";

const ALONE = { inRun: false };
const IN_RUN = { inRun: true };

describe("the calls that prime prints", () => {
  it.each(listedCommands(ALONE))("%s is a command, and takes what is printed", async (name) => {
    const command = await COMMANDS[name].load();
    const calls = await workerCalls({ plan: "plan.md", step: "step-1" }, ALONE);
    const call = calls[listedCommands(ALONE).indexOf(name)]!;
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
    expect(listedCommands(IN_RUN)).toEqual(
      listedCommands(ALONE).filter((name) => AGENT_COMMANDS[name].inRun),
    );
  });
});
