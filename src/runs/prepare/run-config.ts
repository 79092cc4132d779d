import { agentOf, type RunSettings } from "../../agents/index.ts";
import { Failure } from "../../domain/index.ts";

/** What a person asked a run to do. It is stored with the session, so that a resumed one does the same. */
export interface RunConfig {
  /** The plan's key; undefined for workflows that need none. */
  readonly plan?: string | undefined;
  /** The key of a spec folder that a plan is to be written for, and what was there instead of one. */
  readonly spec?: string | undefined;
  readonly specWas?: "missing" | "invalid" | undefined;
  readonly workflow: string;
  /** The agent by its name. */
  readonly agent: string;
  /** Those that continue, in order, when it runs into a limit or its key is rejected. */
  readonly fallback?: readonly string[] | undefined;
  /** What the agent `command` runs. */
  readonly argv?: readonly string[] | undefined;
  readonly workers: number;
  /** A worktree that the person chose; the run works there and brings nothing together. */
  readonly worktree?: string | undefined;
  readonly maxSteps?: number | undefined;
  /** Dollars and minutes that the run may use, as its caller said; the settings have limits too. */
  readonly maxCost?: number | undefined;
  readonly maxMinutes?: number | undefined;
  readonly maxIterations?: number | undefined;
  readonly focus?: string | undefined;
  /** Whether to wait for limits, and how long at most. */
  readonly wait: boolean;
  readonly maxWaitMs?: number | undefined;
  readonly leaseSeconds: number;
  /** How long an agent may take to leave. */
  readonly graceMs?: number | undefined;
}

/** A supervised claim is renewed all the time, so a short one costs nothing, and other machines wait less for it. */
export const RUN_LEASE_SECONDS = 300;

export const DEFAULT_ITERATIONS = 10;

export const readConfig = (text: string): RunConfig => JSON.parse(text) as RunConfig;

/** Who does the work, and who continues it: the agents that were named, a program instead, else what the settings say. */
export function agentsFor(
  settings: RunSettings,
  { agent, argv }: { readonly agent?: string | undefined; readonly argv?: readonly string[] | undefined },
): Pick<RunConfig, "agent" | "fallback"> {
  const named = agent?.split(",").map((name) => name.trim());
  const [first, ...fallback] = named ?? (argv ? ["command"] : settings.order);
  if (first === undefined)
    throw new Failure("run/no-agent", "No agent was chosen for this run.", {
      known: Object.keys(settings.agents),
    });
  for (const name of fallback) agentOf(settings, name);
  return { agent: first, ...(fallback.length > 0 ? { fallback: [...new Set(fallback)] } : {}) };
}
