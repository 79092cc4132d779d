import { COMMAND_TABLE, type CommandName } from "../command-table.ts";
import type { AgentCall } from "../agent-sessions/index.ts";

interface AgentCommand {
  /** Agents that a run has started may call it. Claiming, completing, committing and releasing are the work of that run. */
  readonly inRun: boolean;
  /** Whether `pawl prime` lists it; the rest an agent meets only where a text names it. */
  readonly listed: boolean;
}

/**
 * The commands of agents, in the order they need them.
 *
 * `pawl prime` names them by it, and the table of verbs in `api.ts` refuses those that a run does itself: a test
 * compares the two. Every command that is not here is for people, or only reads.
 */
export const AGENT_COMMANDS = {
  "state claim": { inRun: false, listed: true },
  "state start": { inRun: true, listed: true },
  "state heartbeat": { inRun: true, listed: false },
  "state update": { inRun: true, listed: true },
  "state artifact": { inRun: true, listed: true },
  commit: { inRun: false, listed: true },
  "state complete": { inRun: false, listed: false },
  "state release": { inRun: false, listed: true },
  explain: { inRun: true, listed: true },
} as const satisfies Readonly<Partial<Record<CommandName, AgentCommand>>>;

export type AgentCommandName = keyof typeof AGENT_COMMANDS;

/** Those that `pawl prime` lists. */
export const listedCommands = ({ inRun }: { readonly inRun: boolean }): readonly AgentCommandName[] =>
  (Object.keys(AGENT_COMMANDS) as AgentCommandName[]).filter(
    (name) => AGENT_COMMANDS[name].listed && (AGENT_COMMANDS[name].inRun || !inRun),
  );

/** The same with what they are for. */
export const shortCalls = (caller: { readonly inRun: boolean }): readonly AgentCall[] =>
  listedCommands(caller).map((name) => ({ usage: `pawl ${name}`, about: COMMAND_TABLE[name].about }));
