import type { Call } from "../agent-sessions/prime-text.ts";

/** What agents may know of a command, and which of them may call it. */
interface AgentCommand {
  /** What it says about itself. Here, so that a hook that tells of it need not load the table of commands. */
  readonly about: string;
  /** Agents that a run has started. Claiming, completing, committing and giving back are the work of that run. */
  readonly inRun: boolean;
  /** Whether `pawl prime` tells of it; the rest an agent meets only where a text names it. */
  readonly told: boolean;
}

/**
 * The commands of agents, in the order they need them.
 *
 * `pawl prime` names them by it, and the table of verbs in `api.ts` refuses those that a run does itself: a test
 * compares the two. Every command that is not here is for people, or only reads.
 */
export const AGENT_COMMANDS = {
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
} as const satisfies Readonly<Record<string, AgentCommand>>;

export type AgentCommandName = keyof typeof AGENT_COMMANDS;

/** Those an agent is told of. */
export const toldCommands = ({ inRun }: { readonly inRun: boolean }): readonly AgentCommandName[] =>
  (Object.keys(AGENT_COMMANDS) as AgentCommandName[]).filter(
    (name) => AGENT_COMMANDS[name].told && (AGENT_COMMANDS[name].inRun || !inRun),
  );

/** The same with what they are for. */
export const shortCalls = (caller: { readonly inRun: boolean }): readonly Call[] =>
  toldCommands(caller).map((name) => ({ usage: `pawl ${name}`, about: AGENT_COMMANDS[name].about }));
