import { Failure } from "./domain/index.ts";
import type { CallingAgent } from "./agent-sessions/index.ts";
import type { Ports } from "./platform/ports/index.ts";
import type { Repeatable } from "./journal/index.ts";
import type { Caller, StepAddress } from "./steps/index.ts";

/** Who calls: the worktree, and whatever else the caller was given. */
export interface Who {
  /** Path of the worktree the work happens in. */
  readonly worktree: string;
  /** The number `claim` answered with. */
  readonly claim?: number | undefined;
  /** The id of the session the caller belongs to. */
  readonly session?: string | undefined;
}

export type WorkerCall = StepAddress & Who & Repeatable;

type VerbFunction = (ports: Ports, request: never) => unknown;

/** Fields of requests that verbs pass to each other; callers from outside have no use for them. */
type Internal =
  | "caller"
  | "asItIs"
  | "commitIsKnown"
  | "alongside"
  | "ownWords"
  | "tree"
  | "onMade"
  | "goal"
  | "onLanded"
  | "onRefused"
  | "call";

/** A request as it comes from outside: a worker says which worktree it calls from by a path. */
type FromOutside<R> = R extends { readonly caller: Caller }
  ? Omit<R, Internal> & Who
  : R extends { readonly caller?: Caller | undefined }
    ? "caller" extends keyof R
      ? Omit<R, Internal> & Partial<Who>
      : R
    : R;

type RequestOf<F extends VerbFunction> = FromOutside<NonNullable<Parameters<F>[1]>>;

/** Something that only people may do: its name on the command line, and when a call is that; always unless said otherwise. */
export interface ForPeople<R> {
  readonly command: string | ((request: R) => string);
  readonly when?: (request: R) => boolean | undefined;
}

/** Who may call a verb. */
export interface Callers<R> {
  readonly forPeople?: readonly ForPeople<R>[];
  /** It writes to a step for the worker that holds it, so an agent may only speak for its own session. */
  readonly isWorkers?: true;
  /** The run does this for the agents that it starts: its name on the command line. */
  readonly doneByRun?: string;
  /** Throws when this agent may not do this; for what neither of the others can say. */
  readonly check?: (agent: CallingAgent | undefined, request: R) => void;
}

/** One verb: what it does to the state, who may call it, and how it loads. */
export interface Verb<F extends VerbFunction = VerbFunction, R = RequestOf<F>> {
  readonly access: "reads" | "writes";
  readonly callers: "anyone" | Callers<R>;
  readonly load: () => Promise<F>;
}

export type Verbs = Readonly<Record<string, Verb<VerbFunction, never>>>;

type Call<F extends VerbFunction> =
  Parameters<F> extends [Ports]
    ? () => Promise<Awaited<ReturnType<F>>>
    : object extends RequestOf<F>
      ? (request?: RequestOf<F>) => Promise<Awaited<ReturnType<F>>>
      : (request: RequestOf<F>) => Promise<Awaited<ReturnType<F>>>;

/** The verbs of a table as they are called once their ports are known. */
export type BoundVerbs<T extends Verbs> = {
  [V in keyof T]: Call<Awaited<ReturnType<T[V]["load"]>>>;
};

/** A row for a verb that changes nothing. */
export const reads = <F extends VerbFunction>(
  callers: Verb<F>["callers"],
  load: Verb<F>["load"],
): Verb<F> => ({ access: "reads", callers, load });

/** A row for a verb that changes something. */
export const writes = <F extends VerbFunction>(
  callers: Verb<F>["callers"],
  load: Verb<F>["load"],
): Verb<F> => ({ access: "writes", callers, load });

type AnyRequest = Readonly<Record<string, unknown>> & Partial<Who>;

/**
 * Binds a table of verbs to ports.
 *
 * Each verb loads when it is first called, so a short process pays for one verb only. Then it is remembered: looking a
 * module up again costs as much as a statement.
 */
export function bindVerbs<T extends Verbs>(verbs: T, ports: Ports): BoundVerbs<T> {
  const bound = Object.entries(verbs).map(([name, { callers, load }]) => {
    const isWorkers = callers !== "anyone" && callers.isWorkers === true;
    let loaded: ((ports: Ports, request: object) => unknown) | undefined;
    const call = async (request: AnyRequest = {}): Promise<unknown> => {
      loaded ??= (await load()) as NonNullable<typeof loaded>;
      try {
        return await loaded(ports, isWorkers ? withCaller(ports, request) : request);
      } catch (error) {
        refuseMissingFile(ports, error);
        throw error;
      }
    };
    return [name, call];
  });
  return Object.fromEntries(bound) as BoundVerbs<T>;
}

/** A plan without state whose file is nowhere is a mistyped name: `pawl state init` would not help. */
function refuseMissingFile({ plans }: Ports, error: unknown): void {
  if (!(error instanceof Failure) || error.problem !== "plan/not-initialised") return;
  const key = error.details["plan_path"];
  if (typeof key === "string" && !plans.existsAnywhere(key)) plans.read({ key, path: undefined });
}

/** Without a worktree the caller is not the owner. */
const withCaller = ({ repository }: Ports, { worktree, claim, session, ...request }: AnyRequest): object => ({
  ...request,
  caller: worktree === undefined ? undefined : { worktree: repository.worktree(worktree), claim, session },
});
