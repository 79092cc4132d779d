import type { Instant } from "../../domain/index.ts";

export type Value = string | number | null;
export type Params = Readonly<Record<string, Value>>;

/** As the parameter `now` of a statement: the instant of the transaction, also where it is not known here yet. */
export const NOW: Instant = "now";

/**
 * One SQL text that every engine runs as it stands: `:name` parameters, no dialect.
 *
 * `locks` marks a query whose row the caller is about to change, for engines with many writers at once: `wait` until a
 * rival is done with the row, or `skip` rows that a rival is choosing at this moment.
 */
export interface Statement<P extends Params | void, R> {
  readonly text: string;
  readonly locks: "wait" | "skip" | undefined;
  /** Appends to the journal: by such a line a server can be asked later whether a transaction was committed. */
  readonly isJournalLine?: true;
  /** Never set; carries the types of parameters and rows. */
  readonly types?: { readonly params: P; readonly row: R };
}

/**
 * A transaction, seen from inside. Integers come back as numbers, whatever the engine calls them.
 *
 * Statements run in the order they are given, also when none of them is waited for; asked for together
 * (`Promise.all`), they go to a server together and cost one way there and back.
 */
export interface Sql {
  /**
   * The instant the transaction counts as "now": the machine's clock or the server's, one per transaction. In one
   * that began `atOnce` it is known after the first answer.
   */
  readonly now: Instant;
  readonly all: <P extends Params, R>(statement: Statement<P, R>, params: P) => Promise<readonly R[]>;
  readonly get: <P extends Params, R>(statement: Statement<P, R>, params: P) => Promise<R | undefined>;
  /** Runs a write and tells how many rows it changed. */
  readonly run: <P extends Params>(statement: Statement<P, never>, params: P) => Promise<number>;
  /** Runs a write without waiting for it. If it fails, the transaction does. */
  readonly send: <P extends Params>(statement: Statement<P, never>, params: P) => void;
}

/** Versions, settings and rights, by name. */
export type StoreFacts = Readonly<Record<string, string | number>>;

/** Says of a server that its state was moved into a file, so that no machine continues with the old one. */
export interface ServerMovedMarker {
  /** In the transaction that reads the state for its new place: what is changed after that is refused. */
  readonly mark: (sql: Sql, where: string) => Promise<void>;
  readonly where: () => Promise<string | undefined>;
  /** What is there was moved and is out of date: it is kept under another name. */
  readonly putAside: () => Promise<void>;
}

export interface Beginning {
  /** The first questions go out together with the beginning: on a server, one way there and back less. */
  readonly atOnce?: boolean | undefined;
}

/** A database with Pawl's schema in it. One call is one durable effect: all of `work` happens, or none. */
export interface Database {
  readonly engine: string;
  /** The file or the server, without user and password. */
  readonly where: string;
  readonly read: <T>(work: (sql: Sql) => Promise<T>) => Promise<T>;
  /** `work` may run again from its start when the engine asks for a retry, so it must do nothing but SQL. */
  readonly write: <T>(work: (sql: Sql) => Promise<T>, how?: Beginning) => Promise<T>;
  /** What `doctor` asks: problems of the stored data, none when it is sound. */
  readonly check: () => Promise<readonly string[]>;
  /** Versions and settings, for people. */
  readonly facts: () => Promise<StoreFacts>;
  /** Only where several machines see it. */
  readonly movedAway?: ServerMovedMarker;
  readonly close: () => Promise<void>;
}
