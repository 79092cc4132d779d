import type { IncomingHttpHeaders } from "node:http";
import { Failure } from "../domain/index.ts";

/** The addresses by which the page may be called: exactly these. Any other name may belong to another site, led here. */
const hostsOf = (port: number): readonly string[] => [`127.0.0.1:${port}`, `localhost:${port}`];

/** Said twice, each of these may be read one way here and another way elsewhere. */
const ONCE: ReadonlySet<string> = new Set([
  "host",
  "origin",
  "authorization",
  "content-type",
  "content-length",
]);

function saidTwice(rawHeaders: readonly string[]): boolean {
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const single = names.filter((name) => ONCE.has(name));
  return new Set(single).size !== single.length;
}

export interface IncomingCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
}

/**
 * Why a request is turned away before anything looks at it; undefined when it may go on.
 *
 * A page of another site can make the browser call here. It cannot set the token's header, and the browser says whence
 * the call comes; each of these alone would do.
 */
export function refuseRequest(
  { method, path, headers, rawHeaders }: IncomingCall,
  port: number,
  isToken: (token: string) => boolean,
): Failure | undefined {
  const hosts = hostsOf(port);
  if (!hosts.includes(headers.host ?? "") || saidTwice(rawHeaders))
    return new Failure("ui/wrong-host", "This server does not answer to that name.", {});
  if (!METHODS.has(method)) return new Failure("ui/wrong-method", `There is nothing to ${method} here.`, {});
  if (!path.startsWith("/api/")) return undefined;
  const { origin } = headers;
  const isOwn = origin !== undefined && hosts.some((host) => origin === `http://${host}`);
  const site = headers["sec-fetch-site"];
  const isElsewhere = site !== undefined && site !== "same-origin";
  if ((origin !== undefined && !isOwn) || isElsewhere || (method === "POST" && !isOwn))
    return new Failure("ui/wrong-origin", "This call did not come from the page.", {});
  if (path === EXCHANGE) return undefined;
  const [scheme, token] = (headers.authorization ?? "").split(" ");
  if (scheme !== "Bearer" || token === undefined || !isToken(token))
    return new Failure("ui/no-token", "This call has no valid token.", {});
  return undefined;
}

/** Where a ticket becomes a token; the one call that has none yet. */
export const EXCHANGE = "/api/enter";

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST"]);
