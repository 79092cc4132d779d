import type { Ports } from "../../platform/ports/index.ts";
import type { Worker } from "../work/worker.ts";
import { publisherOf } from "./publisher.ts";

/** Brings the plan's request up to date after a step that no run has landed. */
export async function publishAfter(
  ports: Ports,
  { plan, goal }: Pick<Worker, "plan" | "goal">,
  warn: (text: string) => void,
): Promise<void> {
  if (ports.settings.publish === undefined || plan === undefined || goal === undefined) return;
  await publisherOf(ports, { plan, branch: goal.branch, warn, report: () => undefined }).end();
}
