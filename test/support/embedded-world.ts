import type { Ports } from "../../src/platform/ports/ports.ts";
import type { StepRow } from "../../src/platform/rows.ts";
import type { Caller } from "../../src/steps/caller.ts";
import { openNewSqlite } from "../conformance/sqlite.ts";
import { type ConformanceWorld, itemStatuses, openWorld, raw, stepRow } from "../conformance/store.ts";
import { planText, type StepSpec } from "./plans.ts";

/** The verbs of a room on a real embedded store: every path is a worktree, every plan lies in memory. */
export interface EmbeddedWorld extends ConformanceWorld {
  /** Saves a plan of these steps and answers with its path. */
  readonly saved: (...steps: StepSpec[]) => Promise<string>;
  readonly caller: (path: string, more?: Partial<Caller>) => Caller;
  readonly step: (plan: string, anchor: string) => Promise<StepRow>;
  readonly items: (plan: string, anchor: string) => Promise<readonly string[]>;
  /** Sets columns of a step behind the back of every verb. */
  readonly set: (plan: string, anchor: string, columns: string) => Promise<void>;
  readonly run: (text: string, params?: Record<string, string | number | null>) => Promise<void>;
  /** A command of a session that has no end on record. */
  readonly leaveAgent: (session: string, plan: string, anchor: string, pid: number) => Promise<void>;
  /** The processes that the supervisor was asked to stop. */
  readonly stopped: number[];
}

export async function embeddedWorld(): Promise<EmbeddedWorld> {
  const world = await openWorld(openNewSqlite);
  const { database } = world;
  let plans = 0;
  const run: EmbeddedWorld["run"] = async (text, params = {}) => {
    await database.write((sql) => sql.run(raw(text), params));
  };
  const stopped: number[] = [];
  const supervisor = {
    stopLeftOver: async ({ pid }: { readonly pid: number }) => {
      stopped.push(pid);
      return { stopped: [{ pid }], left: [] };
    },
  };
  const ports = { ...world.ports, running: async () => ({ supervisor }) } as unknown as Ports;
  return {
    ...world,
    ports,
    run,
    stopped,
    async saved(...steps) {
      const plan = `plan-${(plans += 1)}.md`;
      world.plans.set(plan, planText(steps));
      await world.pawl.init({ plan });
      return plan;
    },
    caller: (path, more = {}) => ({ worktree: ports.repository.worktree(path), ...more }),
    step: (plan, anchor) => stepRow(database, plan, anchor),
    items: (plan, anchor) => itemStatuses(database, plan, anchor),
    set: (plan, anchor, columns) =>
      run(`update steps set ${columns} where plan_path = :plan and anchor = :anchor`, { plan, anchor }),
    leaveAgent: (session, plan, anchor, pid) =>
      run(
        `insert into checkpoints (session_id, number, plan_path, anchor, iteration, position, command, type, process, started_at)
         values (:session, 1, :plan, :anchor, 1, 1, 'agent', 'agent', :process, '2026-11-15T12:00:00.000Z')`,
        { session, plan, anchor, process: JSON.stringify({ pid, bootId: world.machine.bootId }) },
      ),
  };
}
