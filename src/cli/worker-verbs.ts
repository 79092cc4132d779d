import type { Call } from "../prompts/prime.ts";

/** Which of the agent's callers a verb is open to. */
interface WorkerVerb {
  /** What its command says about itself. Here, so that a hook that tells of it need not load the table of commands. */
  readonly about: string;
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
  "state claim": { about: "Get the next ready step, or the one you hold already", inRun: false, told: true },
  "state start": { about: "Begin work on a step you claimed", inRun: true, told: true },
  "state heartbeat": { about: "Renew the lease of a step you hold", inRun: true, told: false },
  "state update": { about: "Tick items of a step's checklist", inRun: true, told: true },
  "state artifact": {
    about: "Leave a breadcrumb on a step: strategy, verdict, summary",
    inRun: true,
    told: true,
  },
  commit: {
    about: "Verify a step's work, commit it with trailers, and complete the step",
    inRun: false,
    told: true,
  },
  "state complete": { about: "Mark a step or substep as done", inRun: false, told: false },
  "state release": { about: "Give a claimed step back", inRun: false, told: true },
  explain: { about: "Why a step is in its state, and what can be done", inRun: true, told: true },
} as const satisfies Readonly<Record<string, WorkerVerb>>;

export type WorkerVerbName = keyof typeof WORKER_VERBS;

/** Those an agent is told of. */
export const toldVerbs = ({ inRun }: { readonly inRun: boolean }): readonly WorkerVerbName[] =>
  (Object.keys(WORKER_VERBS) as WorkerVerbName[]).filter(
    (name) => WORKER_VERBS[name].told && (WORKER_VERBS[name].inRun || !inRun),
  );

/** The same with what they are for. */
export const workerVerbs = (caller: { readonly inRun: boolean }): readonly Call[] =>
  toldVerbs(caller).map((name) => ({ usage: `pawl ${name}`, about: WORKER_VERBS[name].about }));
