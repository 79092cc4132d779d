import { Failure } from "../../domain/index.ts";
import { BY_SIGNAL } from "../by-signal.ts";
import { leaseSeconds, RUN_LEASE_OPTION } from "../caller-options.ts";
import { ALL_PRINTED, defineCommand } from "../command.ts";

export const mcpCommand = defineCommand({
  name: "mcp",
  more: `Serves on stdin and stdout until its client ends; agents start it, people do not. It owns the agent's
session: it renews the claim while the agent runs, and when the agent ends, it releases the step and saves uncommitted
work. Works in --worktree, else in the worktree around the client's first root, else around the current folder.
docs/agents.md shows how to set it up.`,
  operands: [],
  options: {
    ...RUN_LEASE_OPTION,
    worktree: { type: "text", value: "PATH", about: "The worktree that the agent works in" },
  },
  examples: ["pawl mcp", "pawl mcp --worktree ../shop-fix"],
  async run(context, values) {
    if (context.isForPrograms)
      throw new Failure("usage/wrong", "pawl mcp speaks a protocol of its own: leave --json out.", {});
    const signal = await context.servers!.serveAgent({
      leaseSeconds: leaseSeconds(values["lease-duration"]),
      worktree: values.worktree,
    });
    return { ...ALL_PRINTED, exitCode: signal === undefined ? 0 : BY_SIGNAL[signal] };
  },
});
