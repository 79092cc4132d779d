import { type ErrorName, Failure } from "../../domain/errors.ts";

interface ServerError extends Error {
  readonly code?: string;
}

/** What the server's and the system's codes mean to the person who must act; the longest prefix wins. */
const PROBLEMS: readonly (readonly [prefix: string, problem: ErrorName, what: string])[] = [
  ["28P01", "store/open-failed", "the password is wrong"],
  ["28", "store/open-failed", "the server refuses this user"],
  ["3D000", "store/open-failed", "there is no such database"],
  ["42501", "store/open-failed", "the role lacks a right that Pawl needs"],
  ["25006", "store/read-only", "the server only takes reads"],
  ["53100", "store/full", "the server's disk is full"],
  ["53", "store/busy", "the server has no room for more connections"],
  ["57014", "store/busy", "the statement took too long and was stopped"],
  ["57P", "store/unreachable", "the server is shutting down or starting"],
  ["08", "store/unreachable", "the connection broke"],
  ["ECONNREFUSED", "store/unreachable", "nothing listens there"],
  ["ENOTFOUND", "store/unreachable", "the host name is unknown"],
  ["EAI_AGAIN", "store/unreachable", "the host name cannot be looked up now"],
  ["ETIMEDOUT", "store/unreachable", "the server did not answer in time"],
  ["ECONNRESET", "store/unreachable", "the connection broke"],
  ["EPIPE", "store/unreachable", "the connection broke"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "store/open-failed", "the server's certificate is not trusted"],
  ["SELF_SIGNED_CERT", "store/open-failed", "the server's certificate is not trusted"],
  ["ERR_TLS", "store/open-failed", "the server's certificate does not fit"],
];

const RETRIED = new Set(["40001", "40P01", "23505"]);

/** Two transactions got in each other's way; the whole of it may be tried again. */
export const isCollision = (error: unknown): boolean => RETRIED.has((error as ServerError).code ?? "");

/** The connection is gone, and with it the answer. */
export function isLost(error: unknown): boolean {
  const { code = "", message } = error as ServerError;
  return (
    /^(08|57P0[123]|ECONNRESET|EPIPE|ETIMEDOUT)/.test(code) ||
    /Connection terminated|connection timeout/i.test(message)
  );
}

/** `where` names the server without user and password. */
export function asFailure(error: unknown, where: string): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const { code = "", message } = error as ServerError;
  if (message.includes("pawl:")) {
    return new Failure(
      "internal/bug",
      `The database refused a change (${message.slice(message.indexOf("pawl:"))}).`,
      {},
      { cause: error },
    );
  }
  const known = PROBLEMS.filter(([prefix]) => code.startsWith(prefix)).toSorted(
    (a, b) => b[0].length - a[0].length,
  )[0];
  if (known)
    return new Failure(known[1], `${where}: ${known[2]}.`, { server: where, code }, { cause: error });
  if (isLost(error))
    return new Failure(
      "store/unreachable",
      `${where}: the connection broke.`,
      { server: where },
      { cause: error },
    );
  if (code === "") return error;
  return new Failure("store/query-failed", `${where}: ${message}`, { server: where, code }, { cause: error });
}
