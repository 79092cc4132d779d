import type { Ports } from "./platform/ports/index.ts";
import { admitting } from "./verbs/admission.ts";
import { agentVerbs, type AgentVerbs } from "./verbs/agent-verbs.ts";
import { hookVerbs, type HookVerbs } from "./verbs/hook-verbs.ts";
import { lookVerbs, type LookVerbs } from "./verbs/look-verbs.ts";
import { operatorVerbs, type OperatorVerbs } from "./verbs/operator-verbs.ts";
import { readVerbs, type ReadVerbs } from "./verbs/read-verbs.ts";
import { recoverVerbs, type RecoverVerbs } from "./verbs/recover-verbs.ts";
import { runVerbs, type RunVerbs } from "./verbs/run-verbs.ts";
import { snapshotVerbs, type SnapshotVerbs } from "./verbs/snapshot-verbs.ts";
import { storeVerbs, type StoreVerbs } from "./verbs/store-verbs.ts";
import { workerVerbs, type WorkerVerbs } from "./verbs/worker-verbs.ts";
import { worktreeVerbs, type WorktreeVerbs } from "./verbs/worktree-verbs.ts";

export type { HookVerbs } from "./verbs/hook-verbs.ts";
export type { Who, WorkerCall } from "./verbs/worker-verbs.ts";

/** The verbs of Pawl for one repository. Every one is a transaction; every refusal is a `Failure`. */
export interface Pawl
  extends
    ReadVerbs,
    OperatorVerbs,
    SnapshotVerbs,
    LookVerbs,
    RecoverVerbs,
    RunVerbs,
    AgentVerbs,
    HookVerbs,
    WorktreeVerbs,
    StoreVerbs,
    WorkerVerbs {
  /** For what people do that is no verb, such as serving the page: refuses an agent, by the name of the command. */
  refuseAgents(request: { readonly verb: string }): Promise<void>;
  close(): Promise<void>;
}

/** The verbs for a process that may be an agent's: they ask who calls. */
export const pawlFor = (ports: Ports): Pawl =>
  admitting(pawlOn(ports), (path) => ports.repository.worktree(path).id);

/** Binds the verbs to ports. Each loads when it is first called, so a short process pays for one verb only. */
export const pawlOn = (ports: Ports): Pawl => ({
  ...readVerbs(ports),
  ...operatorVerbs(ports),
  ...snapshotVerbs(ports),
  ...lookVerbs(ports),
  ...recoverVerbs(ports),
  ...runVerbs(ports),
  ...agentVerbs(ports),
  ...hookVerbs(ports),
  ...worktreeVerbs(ports),
  ...storeVerbs(ports),
  ...workerVerbs(ports),
  // Nobody calls them from outside: whoever may be an agent has `pawlFor`.
  refuseAgents: async () => undefined,
  close: async () => {
    const database = await ports.database().catch(() => undefined);
    await database?.close();
  },
});
