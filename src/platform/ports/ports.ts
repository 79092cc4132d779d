import type { Failure, Settings } from "../../domain/index.ts";
import type { Branches } from "./branches.ts";
import type { Clock, Machine } from "./clock.ts";
import type { Commands } from "./commands.ts";
import type { Commits } from "./commits.ts";
import type { Damage } from "./damage.ts";
import type { Database, StoreFacts } from "./database.ts";
import type { Files } from "./files.ts";
import type { Git } from "./git.ts";
import type { Leftovers } from "./leftovers.ts";
import type { Lifelines } from "./lifelines.ts";
import type { Locks } from "./locks.ts";
import type { PlanFiles } from "./plan-files.ts";
import type { Post } from "./post.ts";
import type { Processes } from "./processes.ts";
import type { Repository } from "./repository.ts";
import type { Requests } from "./requests.ts";
import type { Running } from "./running.ts";
import type { Sandbox } from "./sandbox.ts";
import type { Snapshots } from "./snapshots.ts";
import type { ReadTugstate } from "./tugstate.ts";
import type { Worktrees } from "./worktrees.ts";
import type { Signer } from "./signer.ts";

export type StoreKind = "sqlite" | "postgres";

export interface OpenStoreOptions {
  readonly create: boolean;
  /** Also where a database once was and is gone: a person decided to start again. */
  readonly evenIfLost?: boolean;
  /** Also where what is there was moved elsewhere: it is being moved again. */
  readonly evenIfMoved?: boolean;
}

/** Says of the embedded database that its state was moved elsewhere, so that no process continues with the old one. */
export interface MovedMarker {
  readonly set: (where: string) => void;
  readonly where: () => string | undefined;
  /** What is in the file was moved and is out of date: it is kept beside, and the file is free for a new database. */
  readonly putAside: () => void;
  readonly remove: () => void;
}

/** Everything the verbs need from outside. What is costly to have is a function, and asked for once it is needed. */
export interface Ports {
  /** The database of the repository. Only `save` may make one; for everybody else a missing one means no plan was saved. */
  readonly database: (options?: OpenStoreOptions) => Promise<Database>;
  /** Whether other machines see the same database. */
  readonly storeIsShared: boolean;
  /** One of the two by name, for moving state between them. */
  readonly openStore: (kind: StoreKind, options: OpenStoreOptions) => Promise<Database>;
  /** What there is to say of the server while it has no state of this repository; undefined without a server. */
  readonly lookAtServer: (() => Promise<StoreFacts>) | undefined;
  readonly moved: MovedMarker;
  /** What a shared store puts before a worktree's id to tell clones apart. */
  readonly worktreePrefix: () => string;
  /** What this machine is called in a store of each kind. */
  readonly hostIn: (kind: StoreKind) => string;
  readonly branches: () => Promise<Branches>;
  /** What the process says of itself: where it works, and which session its environment names. */
  readonly caller: { readonly folder: string; readonly session: string | undefined };
  readonly clock: Clock;
  readonly commands: () => Promise<Commands>;
  readonly damage: () => Promise<Damage>;
  readonly machine: Machine;
  readonly files: Files;
  readonly git: Git;
  readonly commits: () => Promise<Commits>;
  readonly signer: Signer;
  readonly leftovers: () => Promise<Leftovers>;
  readonly lifelines: Lifelines;
  readonly locks: () => Promise<Locks>;
  readonly plans: PlanFiles;
  readonly post: () => Promise<Post>;
  readonly processes: Processes;
  /** The requests of the service that hosts the remote of the settings; undefined where there is none. */
  readonly requests: () => Promise<Requests | undefined>;
  readonly repository: Repository;
  readonly running: () => Promise<Running>;
  readonly sandbox: () => Promise<Sandbox>;
  readonly settings: Settings;
  /** Where they are read from; the file need not be there. */
  readonly settingsFile: string;
  readonly snapshots: () => Promise<Snapshots>;
  /** Where Pawl keeps its own files for this repository. */
  readonly stateDir: string;
  /** Reads what Tugstate kept of its plans. */
  readonly tugstate: () => Promise<ReadTugstate>;
  readonly worktrees: () => Promise<Worktrees>;
  /** Hears what went wrong beside a call that succeeded. */
  readonly notice?: (notice: Failure) => void;
  readonly newId: () => string;
  readonly sha256: (text: string) => string;
}
