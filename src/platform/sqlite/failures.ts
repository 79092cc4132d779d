import { type ErrorName, Failure } from "../../domain/index.ts";

interface SqliteError extends Error {
  readonly code?: string;
  readonly errcode?: number;
  readonly errstr?: string;
}

const PRIMARY_CODE = 0xff;
const BUSY = 5;

/** What SQLite's primary result codes mean to the person who must act. */
const PROBLEMS: Readonly<Record<number, readonly [ErrorName, string]>> = {
  8: ["store/read-only", "the database cannot be written"],
  10: ["store/query-failed", "the disk reported an error"],
  11: ["store/corrupt", "the database is damaged"],
  13: ["store/full", "the disk is full"],
  14: ["store/open-failed", "the database cannot be opened"],
  23: ["store/open-failed", "access to the database was refused"],
  26: ["store/corrupt", "the file is not a database"],
};

/** The engine's own words for the codes above: reading many rows, the shipped driver leaves the code out. */
const WORDS: Readonly<Record<string, number>> = {
  "database is locked": BUSY,
  "attempt to write a readonly database": 8,
  "disk I/O error": 10,
  "database disk image is malformed": 11,
  "database or disk is full": 13,
  "unable to open database file": 14,
  "file is not a database": 26,
};

/** Undefined when it was not the engine that threw; 1, "an error", when the engine does not say which. */
function codeOf({ code, errcode, message }: SqliteError): number | undefined {
  return errcode ?? (code === "ERR_SQLITE_ERROR" ? (WORDS[message] ?? 1) : undefined);
}

export const isBusy = (error: unknown): boolean =>
  ((codeOf(error as SqliteError) ?? 0) & PRIMARY_CODE) === BUSY;

/** Turns what the engine threw into a failure that says what to do; our own failures pass as they are. */
export function sqliteFailure(error: unknown, path: string): unknown {
  if (error instanceof Failure) return error;
  const { message, errstr } = error as SqliteError;
  const errcode = codeOf(error as SqliteError);
  if (errcode === undefined) return error;
  if (message.includes("pawl:")) return guardFailure(message, error);
  const known = PROBLEMS[errcode & PRIMARY_CODE];
  if (known) {
    const [problem, what] = known;
    return new Failure(
      problem,
      `${path}: ${what}.`,
      { path, sqlite: errstr ?? message, errcode },
      { cause: error },
    );
  }
  if (isBusy(error))
    return new Failure("store/busy", `${path} is locked by another process.`, { path }, { cause: error });
  return new Failure("store/query-failed", `${path}: ${message}`, { path, errcode }, { cause: error });
}

/** The database's own guards: reached only when a verb tried what the tables of the domain forbid. */
function guardFailure(message: string, cause: unknown): Failure {
  return new Failure(
    "internal/bug",
    `The database refused a change (${message.slice(message.indexOf("pawl:"))}).`,
    {},
    { cause },
  );
}
