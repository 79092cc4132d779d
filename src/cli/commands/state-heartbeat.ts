import {
  CALLER_OPTIONS,
  LEASE_OPTION,
  leaseSeconds,
  PLAN,
  REQUEST_OPTION,
  STEP,
  whoCalls,
} from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { timeLeft } from "../text/time-left.ts";
import { snakeCase } from "../../journal/index.ts";

export const stateHeartbeatCommand = defineCommand({
  name: "state heartbeat",
  operands: [PLAN, STEP],
  options: { ...CALLER_OPTIONS, ...LEASE_OPTION, ...REQUEST_OPTION },
  examples: ["pawl state heartbeat plan.md step-1 --worktree ."],
  async run(context, values, [plan = "", step = ""]) {
    const pawl = await context.pawl();
    const answer = await pawl.heartbeat({
      plan,
      step,
      ...whoCalls(context, values),
      leaseSeconds: leaseSeconds(values["lease-duration"]),
      requestId: values["request-id"],
    });
    return {
      data: snakeCase(answer),
      text: (paint) =>
        `${paint.bold(answer.anchor)}: lease ${timeLeft(answer.leaseExpires)}${
          answer.leaseKept ? " (a lease is never shortened: release the step to end it earlier)" : ""
        }.`,
    };
  },
});
