import { type ErrorName, Failure } from "../../domain/index.ts";

interface ServerError extends Error {
  readonly code?: string;
}

interface Problem {
  /** How the server's or the system's code begins. */
  readonly code?: string;
  /** What the driver says where it gives no code. */
  readonly says?: RegExp;
  readonly problem: ErrorName;
  readonly what: string;
  readonly hint?: string;
}

const RIGHTS = "Ask the owner of the database for the rights that docs/many-machines.md lists.";
const DAMAGED = "Tell the server's administrator; nothing was changed.";
const TRUST =
  "Name the certificate of the server's authority with sslrootcert=/path/to/ca.pem in the database URL, or correct the host name there.";

/** What a change of state that was moved away is refused with; classes that begin with P are unassigned. */
export const MOVED_AWAY = "PW001";

/** What went wrong, for the person who must act; the longest code that fits wins. */
// oxfmt-ignore
const PROBLEMS: readonly Problem[] = [
  { code: "28P01", problem: "store/open-failed", what: "the password is wrong", hint: "Correct the password in the database URL, in PGPASSWORD or in ~/.pgpass." },
  { code: "28", problem: "store/open-failed", what: "the server refuses this user", hint: "Check the user name and the server's pg_hba.conf; a server that wants encryption needs sslmode in the database URL." },
  { code: "3D000", problem: "store/open-failed", what: "there is no such database", hint: "Correct the name in the database URL, or have the database made." },
  { code: "42501", problem: "store/open-failed", what: "the role lacks a right that Pawl needs", hint: RIGHTS },
  { code: "22021", problem: "usage/wrong", what: "a text holds a NUL character, which PostgreSQL cannot keep", hint: "Leave the character out." },
  { code: "25006", problem: "store/read-only", what: "the server only takes reads", hint: "Name the primary server, not a replica, in the database URL." },
  { code: "53100", problem: "store/full", what: "the server's disk is full" },
  { code: "53", problem: "store/unreachable", what: "the server is short of something" },
  { code: "53300", problem: "store/unreachable", what: "the server has no room for more connections", hint: "Run the command again, or have a pooler put in front of the server; docs/many-machines.md says how." },
  { code: "55P03", problem: "store/busy", what: "a lock was not to be had in time" },
  { code: "57014", problem: "store/busy", what: "the statement took too long and was stopped" },
  { code: "57P", problem: "store/unreachable", what: "the server is shutting down or starting" },
  { code: "25P03", problem: "store/unreachable", what: "the server closed the connection, because the transaction stood still" },
  { code: "08", problem: "store/unreachable", what: "the connection broke" },
  { code: MOVED_AWAY, problem: "store/moved-away", what: "the state of this repository was moved away" },
  { code: "XX001", problem: "store/corrupt", what: "the server's own data is damaged", hint: DAMAGED },
  { code: "XX002", problem: "store/corrupt", what: "an index of the server is damaged", hint: DAMAGED },
  { code: "ECONNREFUSED", problem: "store/unreachable", what: "nothing listens there" },
  { code: "ENOENT", problem: "store/unreachable", what: "nothing listens there" },
  { code: "ENOTFOUND", problem: "store/unreachable", what: "the host name is unknown" },
  { code: "EAI_AGAIN", problem: "store/unreachable", what: "the host name cannot be looked up now" },
  { code: "EHOSTUNREACH", problem: "store/unreachable", what: "there is no way to that host" },
  { code: "ENETUNREACH", problem: "store/unreachable", what: "there is no way to that host" },
  { code: "EHOSTDOWN", problem: "store/unreachable", what: "there is no way to that host" },
  { code: "EACCES", problem: "store/unreachable", what: "the socket may not be opened" },
  { code: "ETIMEDOUT", problem: "store/unreachable", what: "the server did not answer in time" },
  { code: "ECONNRESET", problem: "store/unreachable", what: "the connection broke" },
  { code: "EPIPE", problem: "store/unreachable", what: "the connection broke" },
  { code: "DEPTH_ZERO_SELF_SIGNED_CERT", problem: "store/open-failed", what: "the server's certificate is not trusted", hint: TRUST },
  { code: "SELF_SIGNED_CERT", problem: "store/open-failed", what: "the server's certificate is not trusted", hint: TRUST },
  { code: "UNABLE_TO_", problem: "store/open-failed", what: "the server's certificate is not trusted", hint: TRUST },
  { code: "CERT_", problem: "store/open-failed", what: "the server's certificate is not valid", hint: TRUST },
  { code: "ERR_TLS", problem: "store/open-failed", what: "the server's certificate does not fit its name", hint: TRUST },
  { code: "ERR_SSL", problem: "store/open-failed", what: "no encrypted connection came about", hint: TRUST },
  { code: "EPROTO", problem: "store/open-failed", what: "no encrypted connection came about", hint: TRUST },
  { says: /does not support SSL/, problem: "store/open-failed", what: "the server offers no encryption, and the database URL asks for it", hint: "Have encryption turned on at the server; only on a private network, leave sslmode out of the URL." },
  { says: /establishing an SSL/, problem: "store/open-failed", what: "no encrypted connection came about", hint: "Check that the host and port are those of a PostgreSQL server." },
  { says: /password must be a/, problem: "store/open-failed", what: "the server asks for a password, and none was given", hint: "Put it into the database URL, into PGPASSWORD or into ~/.pgpass (readable by you only)." },
  { says: /^SASL|SCRAM/, problem: "store/open-failed", what: "the server and Pawl found no common way to prove the password", hint: "Have the password set again with scram-sha-256 on the server." },
  { says: /when trying to connect/, problem: "store/busy", what: "all connections of this process are in use" },
  { says: /timeout/i, problem: "store/unreachable", what: "the server did not answer in time" },
];

/** The connection remembers a statement otherwise than we do: a migration or a pooler came in between. */
export const isStale = (error: unknown): boolean => {
  const { code = "", message = "" } = error as Partial<ServerError>;
  return code === "26000" || code === "42P05" || (code === "0A000" && message.includes("cached plan"));
};

const COLLISIONS = new Set(["40001", "40P01", "23505"]);

/** Two transactions got in each other's way; the whole of it may be tried again. */
export const isCollision = (error: unknown): boolean => COLLISIONS.has((error as ServerError).code ?? "");

/** The connection is gone, and with it the answer. */
export function isLost(error: unknown): boolean {
  const { code = "", message = "" } = error as Partial<ServerError>;
  return (
    /^(08|57P0[123]|25P0[34]|ECONNRESET|EPIPE|ETIMEDOUT)/.test(code) ||
    /Connection terminated|timeout|not queryable/i.test(code === "" ? message : "")
  );
}

/** No server is there at this moment, or it has no room: what a restart looks like from outside. */
export const isAway = (error: unknown): boolean =>
  /^(ECONNREFUSED|ENOENT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|53300|57P03)/.test(
    (error as ServerError).code ?? "",
  );

/** Who is spoken of. */
export interface Named {
  /** Host, port and database; never user or password. */
  readonly where: string;
  /** Takes the password out of a text: what stands between us and the server may repeat it. */
  readonly hush?: ((text: string) => string) | undefined;
}

export function postgresFailure(error: unknown, named: Named): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const message = named.hush?.(error.message) ?? error.message;
  if (message === error.message) return worded(error, named.where);
  const { code } = error as ServerError;
  return worded(Object.assign(new Error(message), code === undefined ? {} : { code }), named.where);
}

function worded(error: Error, where: string): unknown {
  const { code = "", message } = error as ServerError;
  if (message.includes("pawl:")) return guardFailure(message, error);
  const details = { server: where, ...(code === "" ? {} : { code }) };
  const known = problemOf(code, message);
  if (known) {
    const { problem, what, hint } = known;
    return new Failure(problem, `${where}: ${what}${ownWords(code, message)}.`, details, {
      cause: error,
      ...(hint === undefined ? {} : { hint }),
    });
  }
  if (isLost(error))
    return new Failure("store/unreachable", `${where}: the connection broke.`, details, { cause: error });
  if (code === "") return error;
  return new Failure("store/query-failed", `${where}: ${message}`, details, { cause: error });
}

const problemOf = (code: string, message: string): Problem | undefined =>
  PROBLEMS.filter((one) =>
    one.says ? code === "" && one.says.test(message) : code !== "" && code.startsWith(one.code ?? "-"),
  ).toSorted((a, b) => (b.code ?? "").length - (a.code ?? "").length)[0];

/** The server names the right, the database or the role that it is about. */
const ownWords = (code: string, message: string): string =>
  /^(28000|3D|42501|53)/.test(code) ? ` (${message})` : "";

/** The database's own guards: reached only when a verb tried what the tables of the domain forbid. */
const guardFailure = (message: string, cause: unknown): Failure =>
  new Failure(
    "internal/bug",
    `The database refused a change (${message.slice(message.indexOf("pawl:"))}).`,
    {},
    { cause },
  );
