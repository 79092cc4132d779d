import type { NamedAgent } from "../../agents/index.ts";
import { toInstant, type WorkflowCommand } from "../../domain/index.ts";
import type { CheckpointRow } from "../../platform/index.ts";
import { listStepCheckpoints } from "../../sessions/index.ts";
import type { ClaimedStep } from "../../steps/index.ts";
import { chooseAgent } from "./choose-agent.ts";
import type { Worker } from "./worker.ts";

type Choosing = Pick<Worker, "settings" | "config">;

/** Undefined where the command is a program. */
export const agentOfCommand = (worker: Choosing, { work, agent }: WorkflowCommand): NamedAgent | undefined =>
  "argv" in work ? undefined : chooseAgent(worker, agent);

/** Who may do a command, in order: the agent that it names, or the run's own and those that continue for it. */
export function agentsOfCommand(worker: Choosing, { work, agent }: WorkflowCommand): readonly NamedAgent[] {
  if ("argv" in work) return [];
  const names = agent === undefined ? [worker.config.agent, ...(worker.config.fallback ?? [])] : [agent];
  return names.map((name) => chooseAgent(worker, name));
}

/** The agent that works next, or the one to wait for where none can work now. */
export type PickedAgent =
  | {
      readonly kind: "agent";
      readonly agent: NamedAgent | undefined;
      readonly last: CheckpointRow | undefined;
    }
  | { readonly kind: "none"; readonly agent: string };

/** What is known of the command that is due. */
export interface DueCommand {
  readonly position: number;
  /** The checkpoint of the command that was cut off here, or is continued. */
  readonly last: CheckpointRow | undefined;
  readonly isContinued?: boolean | undefined;
}

/**
 * Chooses who works next.
 *
 * A conversation that was cut off is continued by its own agent. Otherwise it is the first of the list that is not
 * paused, so an agent returns when its limit has reset. Each takes up its own earlier conversation about the step.
 */
export async function pickAgent(worker: Worker, held: ClaimedStep, due: DueCommand): Promise<PickedAgent> {
  const { position, last } = due;
  const all = agentsOfCommand(worker, worker.workflow.commands[position]!);
  if (all.length === 0) return { kind: "agent", agent: undefined, last };
  const able = all.filter(({ name }) => isAble(worker, name));
  const own = isOpenTalk(due) ? able.find(({ name }) => name === last?.agent) : undefined;
  const agent = own ?? able[0];
  if (agent === undefined) return { kind: "none", agent: firstBack(worker, all) };
  if (last === undefined || last.agent === agent.name || all.length === 1)
    return { kind: "agent", agent, last };
  return { kind: "agent", agent, last: await lastOf(worker, held, position, agent.name) };
}

export const isAble = ({ pauses, ports }: Worker, agent: string): boolean =>
  pauses.current(agent, ports.clock.wallMs()) === undefined;

const isOpenTalk = ({ last, isContinued = false }: DueCommand): boolean =>
  isContinued || last?.outcome === null || last?.outcome === "killed" || last?.outcome === "silent";

/** The one whose pause ends first; where none ends by itself, the first of the list. */
export function firstBack({ pauses, ports }: Worker, all: readonly NamedAgent[]): string {
  const nowMs = ports.clock.wallMs();
  const until = ({ name }: NamedAgent) => pauses.current(name, nowMs)?.untilMs ?? nowMs;
  return all.reduce((first, one) => (until(one) < until(first) ? one : first)).name;
}

const MOST_CHECKPOINTS = 1000;

/** What an agent did last for this command of the step. */
async function lastOf(
  { ports }: Worker,
  { plan: plan_path, anchor }: ClaimedStep,
  position: number,
  agent: string,
): Promise<CheckpointRow | undefined> {
  const database = await ports.database();
  const rows = await database.read((sql) =>
    sql.all(listStepCheckpoints, { plan_path, anchor, most: MOST_CHECKPOINTS }),
  );
  return rows.findLast((row) => row.agent === agent && row.position === position);
}

/**
 * Whether another agent continues where one has run into a limit or its key was rejected. A server that is overloaded
 * is back in a moment, and that is waited for.
 */
export function passToNextAgent(
  worker: Worker,
  { anchor }: ClaimedStep,
  from: string,
  { position }: { readonly position: number },
): boolean {
  const all = agentsOfCommand(worker, worker.workflow.commands[position]!);
  const to = all.find(({ name }) => isAble(worker, name));
  const pause = worker.pauses.current(from, worker.ports.clock.wallMs());
  if (to === undefined || pause === undefined) return false;
  worker.report({
    event: "agent-changed",
    step: anchor,
    from,
    to: to.name,
    until: pause.untilMs === Infinity ? undefined : toInstant(pause.untilMs),
    because: pause.because,
  });
  return true;
}
