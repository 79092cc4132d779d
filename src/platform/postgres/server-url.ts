import { readFileSync } from "node:fs";
import { userInfo } from "node:os";
import type { ConnectionOptions } from "node:tls";
import type { ClientConfig } from "pg";
import { Failure } from "../../domain/index.ts";

/** What a database URL says, in the terms of the driver. */
export interface ServerAddress {
  readonly config: ClientConfig;
  /** Host, port and database; never user or password. */
  readonly where: string;
}

const KNOWN = [
  "host",
  "port",
  "user",
  "password",
  "dbname",
  "sslmode",
  "sslrootcert",
  "sslcert",
  "sslkey",
  "channel_binding",
  "application_name",
] as const;

/** What libpq knows and Pawl does not. Only these are named in messages: any other may be a piece of a password. */
const OTHERS: ReadonlySet<string> = new Set([
  "client_encoding",
  "connect_timeout",
  "fallback_application_name",
  "gssencmode",
  "hostaddr",
  "keepalives",
  "keepalives_idle",
  "load_balance_hosts",
  "options",
  "passfile",
  "pgbouncer",
  "require_auth",
  "schema",
  "service",
  "ssl",
  "sslcompression",
  "sslcrl",
  "sslpassword",
  "ssl_min_protocol_version",
  "target_session_attrs",
  "tcp_user_timeout",
]);

type Parameters = Readonly<Partial<Record<(typeof KNOWN)[number], string>>>;

/**
 * Reads a `postgres://` URL by the rules of libpq.
 *
 * Not by the driver's own: that one takes every `sslmode` for `verify-full`, says so on stderr, and passes over what
 * it does not know. No message of ours repeats the text, because it may hold a password.
 */
export function readServerUrl(url: string): ServerAddress {
  const parsed = parse(url);
  const given = parametersOf(parsed);
  const host = given.host ?? unescape(parsed.hostname.replace(/^\[(.*)\]$/, "$1"));
  if (host.includes(","))
    throw refused(
      "The database URL names several hosts.",
      "Name one: the primary, or what stands before it.",
    );
  const port = given.port ?? parsed.port;
  const database = given.dbname ?? unescape(parsed.pathname.slice(1));
  const user = (given.user ?? unescape(parsed.username)) || process.env["PGUSER"] || accountName();
  const password = given.password ?? unescape(parsed.password);
  const ssl = tlsOf(given);
  return {
    where: `postgres://${host.includes(":") ? `[${host}]` : host}${port === "" ? "" : `:${port}`}/${database}`,
    config: {
      ...(host === "" ? {} : { host }),
      ...(port === "" ? {} : { port: portOf(port) }),
      ...(database === "" ? {} : { database }),
      ...(user === undefined ? {} : { user }),
      ...(password === "" ? {} : { password }),
      ...(ssl === undefined ? {} : { ssl }),
      enableChannelBinding: given.channel_binding === "require" || given.channel_binding === "prefer",
      application_name: given.application_name ?? "pawl",
    },
  };
}

/** As libpq does; the driver goes by USER, which services and containers lack. */
function accountName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return process.env["USER"];
  }
}

function parse(url: string): URL {
  let parsed: URL | undefined;
  try {
    parsed = new URL(url);
  } catch {
    // Said below.
  }
  if (parsed?.protocol !== "postgres:" && parsed?.protocol !== "postgresql:")
    throw refused("The database URL is not a postgres:// URL.");
  // An unescaped # or ? ends the user part early, and a piece of the password would pass for host or port.
  if (parsed.hash !== "" || `${parsed.pathname}${parsed.search}`.includes("@"))
    throw refused("The database URL holds a character that must be escaped.");
  return parsed;
}

const refused = (
  message: string,
  hint = "Write it as postgres://user:password@host:5432/database; in the password, / is %2F, @ is %40, # is %23, ? is %3F, % is %25.",
): Failure => new Failure("store/open-failed", message, {}, { hint });

function unescape(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refused("The database URL holds a % that is not followed by two hexadecimal digits.");
  }
}

function parametersOf({ searchParams }: URL): Parameters {
  const unknown = [...searchParams.keys()].find((name) => !(KNOWN as readonly string[]).includes(name));
  if (unknown === undefined) return Object.fromEntries(searchParams);
  const name = OTHERS.has(unknown) ? ` "${unknown}"` : "";
  throw new Failure(
    "store/open-failed",
    `The database URL has a parameter${name} that Pawl does not know.`,
    { known: KNOWN },
    { hint: `Take it out of the URL; Pawl knows ${KNOWN.join(", ")}.` },
  );
}

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw refused("The port in the database URL is not a number from 1 to 65535.");
}

/** Undefined leaves it to PGSSLMODE, and without that to no encryption. */
function tlsOf({ sslmode, sslrootcert, sslcert, sslkey }: Parameters): ConnectionOptions | false | undefined {
  if (sslmode === undefined && sslrootcert === undefined) return undefined;
  if (sslmode === "disable") return false;
  const files = {
    ...(sslrootcert === undefined || sslrootcert === "system" ? {} : { ca: readPem(sslrootcert) }),
    ...(sslcert === undefined ? {} : { cert: readPem(sslcert) }),
    ...(sslkey === undefined ? {} : { key: readPem(sslkey) }),
  };
  switch (sslmode) {
    case undefined:
    case "verify-full":
      return files;
    case "require":
      // With a certificate to check against, it is checked, as libpq does.
      return files.ca === undefined ? { ...files, rejectUnauthorized: false } : { ...files, ...ANY_NAME };
    case "verify-ca":
      return { ...files, ...ANY_NAME };
    default:
      throw refused(
        PROMISES_NOTHING.has(sslmode)
          ? `The database URL asks for sslmode=${sslmode}, which promises nothing.`
          : "The database URL asks for an sslmode that there is not.",
        "Use disable, require, verify-ca or verify-full.",
      );
  }
}

const PROMISES_NOTHING: ReadonlySet<string> = new Set(["prefer", "allow"]);

const ANY_NAME: ConnectionOptions = { checkServerIdentity: () => undefined };

function readPem(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Failure(
      "store/open-failed",
      `The certificate file ${path} cannot be read (${code}).`,
      { path },
      { cause: error, hint: "Correct the path in the database URL." },
    );
  }
}
