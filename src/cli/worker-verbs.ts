/** Which of the agent's callers a verb is open to. */
interface WorkerVerb {
  /** Agents that a run has started. Claiming, completing, committing and giving back are the work of that run. */
  readonly inRun: boolean;
  /** Whether `pawl prime` tells of it; the rest an agent meets only where a text names it. */
  readonly told: boolean;
}

/**
 * The verbs of agents, in the order they need them.
 *
 * The one place that says who may call what of them: the commands refuse by it, and `pawl prime` tells by it. Every
 * command that is not here is for people, or only reads.
 */
export const WORKER_VERBS = {
  "state claim": { inRun: false, told: true },
  "state start": { inRun: true, told: true },
  "state heartbeat": { inRun: true, told: false },
  "state update": { inRun: true, told: true },
  "state artifact": { inRun: true, told: true },
  commit: { inRun: false, told: true },
  "state complete": { inRun: false, told: false },
  "state release": { inRun: false, told: true },
  explain: { inRun: true, told: true },
} as const satisfies Readonly<Record<string, WorkerVerb>>;

export type WorkerVerbName = keyof typeof WORKER_VERBS;

/** What an agent is told of. */
export const toldVerbs = ({ inRun }: { readonly inRun: boolean }): readonly WorkerVerbName[] =>
  (Object.keys(WORKER_VERBS) as WorkerVerbName[]).filter(
    (name) => WORKER_VERBS[name].told && (WORKER_VERBS[name].inRun || !inRun),
  );
