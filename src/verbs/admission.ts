import { Failure } from "../domain/errors.ts";
import type { AgentOf } from "../agent-sessions/whose-agent.ts";
import type { Pawl } from "../pawl.ts";

type VerbName = {
  [V in keyof Pawl]: Pawl[V] extends (...args: never[]) => Promise<unknown> ? V : never;
}[keyof Pawl];

type RequestOf<V extends VerbName> = NonNullable<Parameters<Pawl[V]>[0]>;

interface Rule<R> {
  /** What only people call: its name on the command line, and when a call is that; always unless said otherwise. */
  readonly forPeople?: readonly {
    readonly verb: string;
    readonly when?: (request: R) => boolean | undefined;
  }[];
  /** The run does this for the agents that it starts: what it is called on the command line. */
  readonly doneByRun?: string;
  /** It writes to a step, so an agent may only speak for its own session. */
  readonly isWorkers?: true;
}

const always = (verb: string) => ({ forPeople: [{ verb }] });
const unlessDry = (verb: string) => ({
  forPeople: [{ verb, when: ({ dryRun = false }: { readonly dryRun?: boolean | undefined }) => !dryRun }],
});

/**
 * Who may call what. A verb that is not here reads, or harms nobody whoever calls it.
 *
 * The one table for the command line, the library and the page: a new verb for people is one line.
 */
export const ADMISSION: { readonly [V in VerbName]?: Rule<RequestOf<V>> } = {
  prepare: always("init"),
  init: { forPeople: [{ verb: "state init --afresh", when: ({ afresh }) => afresh }] },
  reinit: always("state init --force"),
  reset: always("state reset"),
  hold: always("state hold"),
  retry: always("state retry"),
  reopen: always("state reopen"),
  prune: unlessDry("state prune"),
  restore: always("state restore"),
  copyStore: always("state migrate"),
  reconcile: {
    forPeople: [
      { verb: "state reconcile --force", when: ({ force, dryRun }) => force && !dryRun },
      {
        verb: "state reconcile --trust-unsigned",
        when: ({ trustUnsigned, dryRun }) => trustUnsigned && !dryRun,
      },
    ],
  },
  recover: always("recover"),
  prepareRun: always("run"),
  previewRun: always("run"),
  run: always("run"),
  resume: always("resume"),
  improve: always("improve"),
  verify: always("verify"),
  abandonSession: always("sessions abandon"),
  cleanSessions: always("sessions clean"),
  restoreSession: always("sessions restore"),
  dropSnapshot: unlessDry("snapshot drop"),
  removeWorktree: always("worktree remove"),
  cleanWorktrees: unlessDry("worktree clean"),
  gc: unlessDry("gc"),
  mergeWorktree: always("worktree merge"),
  claim: {
    isWorkers: true,
    doneByRun: "state claim",
    forPeople: [{ verb: "state claim --force", when: ({ force }) => force }],
  },
  start: { isWorkers: true },
  heartbeat: { isWorkers: true },
  update: { isWorkers: true },
  artifact: { isWorkers: true },
  complete: {
    isWorkers: true,
    doneByRun: "state complete",
    forPeople: [{ verb: "state complete --force", when: ({ forceReason }) => forceReason !== undefined }],
  },
  commit: {
    isWorkers: true,
    doneByRun: "commit",
    forPeople: [{ verb: "commit --unverified", when: ({ unverified }) => unverified !== undefined }],
  },
  release: {
    isWorkers: true,
    doneByRun: "state release",
    forPeople: [{ verb: "state release --force", when: ({ worktree }) => worktree === undefined }],
  },
};

/** Everything that is refused to agents, as it is called. */
export const OPERATOR_COMMANDS: readonly string[] = [
  ...new Set([
    ...Object.values(ADMISSION).flatMap(({ forPeople = [] }) => forPeople.map(({ verb }) => verb)),
    "ui",
  ]),
];

type AnyRequest = Readonly<Record<string, unknown>> & {
  readonly worktree?: string | undefined;
  readonly session?: string | undefined;
};

/** The same verbs, for a caller that may be an agent: each asks first who calls. */
export function admitting(pawl: Pawl, worktreeId: (path: string) => string): Pawl {
  const whoWrites = askedOnce(pawl);
  const guarded = Object.entries(ADMISSION).map(([name, rule]) => {
    const verb = pawl[name as VerbName] as (request: AnyRequest) => Promise<unknown>;
    const admitted = async (asked: AnyRequest = {}): Promise<unknown> => {
      const { forPeople = [] } = rule as Rule<AnyRequest>;
      const what = forPeople.find(({ when }) => when === undefined || when(asked) === true)?.verb;
      if (what === undefined && rule.isWorkers === undefined) return verb(asked);
      // A run or a verification that is to happen in an agent's worktree is refused there in its own words.
      const worktree = rule.isWorkers && asked.worktree;
      const agent =
        what === undefined ? await whoWrites(worktree) : await pawl.whoseAgent({ worktree, anyStore: true });
      if (agent === undefined) return verb(asked);
      if (what !== undefined) throw notForAgents(what, agent);
      if (rule.doneByRun !== undefined && isInRun(agent)) throw doneByRun(rule.doneByRun, agent);
      return verb({ ...asked, session: sessionFor(agent, asked, worktreeId) });
    };
    return [name, admitted];
  });
  return {
    ...pawl,
    ...(Object.fromEntries(guarded) as Partial<Pawl>),
    openDesk: deskFor(pawl),
    async refuseAgents({ verb }) {
      const agent = await pawl.whoseAgent({ anyStore: true });
      if (agent) throw notForAgents(verb, agent);
    },
  };
}

/**
 * Who a worker's writes come from, for each worktree that they name.
 *
 * Where a process comes from does not change, so a worker that stays does not ask a server again with every write. Where it
 * only stands may change, and is asked for each time.
 */
function askedOnce(pawl: Pawl): (worktree: string | undefined) => Promise<AgentOf | undefined> {
  const settled = new Map<string | undefined, AgentOf | undefined>();
  return async (worktree) => {
    if (settled.has(worktree)) return settled.get(worktree);
    const agent = await pawl.whoseAgent({ worktree });
    if (agent === undefined || agent.by === "process") settled.set(worktree, agent);
    return agent;
  };
}

/** An agent of a run has the desk that the run set up for it, and no other: from another one it could claim for itself. */
const deskFor =
  (pawl: Pawl): Pawl["openDesk"] =>
  async (request = {}) => {
    const agent = await pawl.whoseAgent();
    const isProven = agent?.by === "process" || agent?.by === "environment";
    if (isProven && isInRun(agent) && request.supervised?.session !== agent.session)
      throw new Failure(
        "session/not-yours",
        `You are an agent of session ${agent.session}, and ${request.supervised ? `the server was started for session ${request.supervised.session}` : "the server was started without the PAWL_ variables of that session"}.`,
        { session_id: agent.session, named: request.supervised?.session ?? null },
      );
    return pawl.openDesk(request);
  };

/** Whether a run that is at work has started the agent. */
export const isInRun = (agent: AgentOf | undefined): boolean =>
  agent !== undefined && agent.kind === "run" && agent.isLive;

/**
 * The session that an agent's write speaks for.
 *
 * One that is proven by its process needs no name. A session's name alone, in the folder of its agent, is a person's word
 * as much as an agent's: it is passed on as it was given, and the write compares it.
 */
function sessionFor(
  agent: AgentOf,
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
function notForAgents(verb: string, agent: AgentOf): Failure {
  const details = { verb, session_id: agent.session, known_by: agent.by };
  if (agent.by === "folder")
    return new Failure(
      "operator/beside-agent",
      `${verb} is for people, and an agent of session ${agent.session} is at work in ${agent.worktree?.path}: a call from there, or about it, may be the agent's.`,
      { ...details, worktree: agent.worktree?.path },
    );
  return new Failure(
    "operator/inside-session",
    `${verb} is not for agents: this is session ${agent.session}.`,
    details,
  );
}

function doneByRun(verb: string, agent: AgentOf): Failure {
  const details = { session_id: agent.session, known_by: agent.by };
  if (agent.by === "folder") return notForAgents(verb, agent);
  return new Failure(
    "desk/supervised",
    `${verb} is done by the run that started you: when you end, it verifies and commits.`,
    details,
  );
}
