import type { AgentCall } from "../agent-sessions/index.ts";
import { shellWord } from "../domain/index.ts";
import type { Command } from "./command.ts";
import { COMMANDS } from "./commands/index.ts";
import { listedCommands } from "./agent-commands.ts";

export interface AgentCaller {
  /** A run started it. */
  readonly inRun: boolean;
}

/** Plan and step where they are known; else what stands for them. */
export interface CallAddress {
  readonly plan?: string | undefined;
  readonly step?: string | undefined;
}

/** How to call the verbs of an agent, made from the commands themselves: what they take is what is written here. */
export async function workerCalls(address: CallAddress, caller: AgentCaller): Promise<readonly AgentCall[]> {
  const commands = await Promise.all(listedCommands(caller).map((name) => COMMANDS[name].load()));
  return commands.map((command) => ({ usage: usageOf(command, address), about: command.about }));
}

const SAMPLES: Readonly<Record<string, string>> = {
  task: "--task 1 completed",
  kind: "--kind architect_strategy",
  summary: "--summary TEXT",
  worktree: "--worktree .",
};

function usageOf({ name, operands, options }: Command, { plan, step }: CallAddress): string {
  const values: Readonly<Record<string, string>> = {
    plan: plan === undefined ? "PLAN" : shellWord(plan),
    step: step === undefined ? "STEP" : shellWord(step),
  };
  const named = operands.map((operand) => values[operand.name]).filter((value) => value !== undefined);
  const address = options["plan"] ? [`--plan ${values["plan"]} --step ${values["step"]}`] : named;
  const samples = Object.entries(SAMPLES).filter(([option]) => options[option]);
  return ["pawl", name, ...address, ...samples.map(([, sample]) => sample)].join(" ");
}
