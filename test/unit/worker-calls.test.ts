import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { parseArgs } from "../../src/cli/parse-args.ts";
import { WORKER_COMMANDS, workerCalls } from "../../src/cli/worker-calls.ts";

describe("the calls that prime prints", () => {
  it.each(WORKER_COMMANDS)("%s is a command, and takes what is printed", async (name) => {
    const command = await COMMANDS[name]!.load();
    const calls = await workerCalls({ plan: "plan.md", step: "step-1" });
    const call = calls[WORKER_COMMANDS.indexOf(name)]!;
    expect(call.about).toBe(command.about);
    const words = call.usage.split(" ").slice(1 + name.split(" ").length);
    const { operands, values } = parseArgs(command, words);
    for (const operand of command.operands.filter(({ required }) => required))
      expect(operands.length, operand.name).toBeGreaterThan(0);
    if (command.options["worktree"]) expect(values).toMatchObject({ worktree: "." });
  });
});
