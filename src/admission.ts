import type { CallingAgent } from "./agent-sessions/index.ts";
import { Failure } from "./domain/index.ts";
import type { HookVerbs } from "./hook-verbs.ts";
import type { Callers, Verbs } from "./verb.ts";

type AnyRequest = Readonly<Record<string, unknown>> & {
  readonly worktree?: string | undefined;
  readonly session?: string | undefined;
};

type AnyCall = (request?: AnyRequest) => Promise<unknown>;

/** The same verbs, for a caller that may be an agent: each asks first who calls, as its row in the table says. */
export function admitting<P extends Pick<HookVerbs, "callingAgent">>(
  verbs: Verbs,
  pawl: P,
  worktreeId: (path: string) => string,
): P {
  const whoWrites = askedOnce(pawl);
  const guarded = Object.entries(verbs).map(([name, { callers }]) => {
    const call = pawl[name as keyof P] as unknown as AnyCall;
    if (callers === "anyone") return [name, call];
    const { forPeople = [], isWorkers, doneByRun, check } = callers as unknown as Callers<AnyRequest>;
    const admitted = async (asked: AnyRequest = {}): Promise<unknown> => {
      check?.(await pawl.callingAgent(), asked);
      const reserved = forPeople.find(({ when }) => when === undefined || when(asked) === true)?.command;
      if (reserved === undefined && isWorkers === undefined) return call(asked);
      // A run or a verification that is to happen in an agent's worktree is refused there in its own words.
      const worktree = isWorkers && asked.worktree;
      const agent =
        reserved === undefined
          ? await whoWrites(worktree)
          : await pawl.callingAgent({ worktree, anyStore: true });
      if (agent === undefined) return call(asked);
      if (reserved !== undefined)
        throw notForAgents(typeof reserved === "string" ? reserved : reserved(asked), agent);
      if (doneByRun !== undefined && isInRun(agent)) throw doneByTheRun(doneByRun, agent);
      return call({ ...asked, session: sessionFor(agent, asked, worktreeId) });
    };
    return [name, admitted];
  });
  return Object.fromEntries(guarded) as P;
}

/**
 * Who a worker's writes come from, for each worktree that they name.
 *
 * Where a process comes from does not change, so a worker that stays does not ask a server again with every write. Where it
 * only stands may change, and is asked for each time.
 */
function askedOnce(
  pawl: Pick<HookVerbs, "callingAgent">,
): (worktree: string | undefined) => Promise<CallingAgent | undefined> {
  const settled = new Map<string | undefined, CallingAgent | undefined>();
  return async (worktree) => {
    if (settled.has(worktree)) return settled.get(worktree);
    const agent = await pawl.callingAgent({ worktree });
    if (agent === undefined || agent.by === "process") settled.set(worktree, agent);
    return agent;
  };
}

/** An agent of a run works in the session that the run set up for it, and in no other: there it could claim for itself. */
export function ownSessionOnly(
  agent: CallingAgent | undefined,
  { supervised }: { readonly supervised?: { readonly session: string } | undefined },
): void {
  const isProven = agent?.by === "process" || agent?.by === "environment";
  if (!isProven || !isInRun(agent) || supervised?.session === agent.session) return;
  throw new Failure(
    "session/not-yours",
    `You are an agent of session ${agent.session}, and ${supervised ? `the server was started for session ${supervised.session}` : "the server was started without the PAWL_ variables of that session"}.`,
    { session_id: agent.session, named: supervised?.session ?? null },
  );
}

/** Whether a run that is at work has started the agent. */
const isInRun = (agent: CallingAgent | undefined): boolean =>
  agent !== undefined && agent.kind === "run" && agent.isLive;

/**
 * The session that an agent's write speaks for.
 *
 * One that is proven by its process needs no name. A session's name alone, in the folder of its agent, is a person's word
 * as much as an agent's: it is passed on as it was given, and the write compares it.
 */
function sessionFor(
  agent: CallingAgent,
  { session, worktree }: AnyRequest,
  worktreeId: (path: string) => string,
): string | undefined {
  const isOther = session !== undefined && session !== agent.session && agent.by !== "name";
  const isElsewhere =
    agent.by === "process" &&
    worktree !== undefined &&
    agent.worktree !== undefined &&
    worktreeId(worktree) !== agent.worktree.id;
  if (isOther || isElsewhere)
    throw new Failure(
      "session/not-yours",
      isOther
        ? `You are an agent of session ${agent.session}, and the call speaks for session ${session}.`
        : `You are an agent of session ${agent.session}, which works in ${agent.worktree?.path}, and the call is about ${worktree}.`,
      { session_id: agent.session, named: session ?? null, worktree: agent.worktree?.path ?? null },
    );
  return agent.by === "process" ? agent.session : session;
}

/** Says why, and what to do instead; to a person, how to be recognised as one. */
function notForAgents(verb: string, agent: CallingAgent): Failure {
  const details = { verb, session_id: agent.session, known_by: agent.by };
  if (agent.by === "folder")
    return new Failure(
      "operator/beside-agent",
      `${verb} is for people. An agent of session ${agent.session} runs in ${agent.worktree?.path}, and this call comes from there or is about it.`,
      { ...details, worktree: agent.worktree?.path },
    );
  return new Failure(
    "operator/inside-session",
    `${verb} is not for agents: this is session ${agent.session}.`,
    details,
  );
}

function doneByTheRun(verb: string, agent: CallingAgent): Failure {
  const details = { session_id: agent.session, known_by: agent.by };
  if (agent.by === "folder") return notForAgents(verb, agent);
  return new Failure(
    "desk/supervised",
    `${verb} is the job of the run that started you: when you end, it verifies and commits.`,
    details,
  );
}
