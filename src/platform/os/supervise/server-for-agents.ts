import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newId } from "../node-crypto.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface ServerForAgents {
  /** What an agent's verbs find the server by; nothing of it is secret. */
  readonly variables: Readonly<Record<string, string>>;
  /** What must not be kept in logs should an agent print it. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** Where Pawl itself has the server from. */
export interface KnownServer {
  readonly env: Environment;
  /** The URL that counts; undefined when the state lies in a file. */
  readonly url: string | undefined;
}

/**
 * How the verbs that an agent calls reach a server that only our own environment names, or has the password of.
 *
 * A URL without a password is handed on. One with a password goes into a file that only this user can read, and the
 * agent gets its path: environments are printed, logged and inherited by everything an agent starts, files are not. An
 * agent that runs as the same user can still read it if it sets out to; nothing that its verbs can use is out of its reach.
 * What stands in the settings, or in a file already, an agent's verbs find by themselves.
 */
export function serverForAgents({ env, url }: KnownServer, stateDir: string): ServerForAgents {
  if (!url || !URL.canParse(url)) return { variables: {}, secrets: {} };
  const whole = new URL(url);
  const given = whole.password !== "" || whole.searchParams.has("password");
  const password = given ? undefined : env["PGPASSWORD"];
  const isInVariable = url === env["PAWL_DATABASE_URL"];
  if (!given && !password) return { variables: isInVariable ? { PAWL_DATABASE_URL: url } : {}, secrets: {} };
  if (password) whole.searchParams.set("password", password);
  const isToKeep = isInVariable || password !== undefined;
  return {
    variables: isToKeep ? { PAWL_DATABASE_URL_FILE: keep(join(stateDir, "servers"), whole.href) } : {},
    secrets: wordsOf(whole, password),
  };
}

/** The password as it is, and as it stands in the URL: an agent that shows the file shows the second. */
function wordsOf(url: URL, password: string | undefined): Readonly<Record<string, string>> {
  const plain = password ?? (decoded(url.password) || url.searchParams.get("password") || "");
  const escaped = url.password || /[?&]password=([^&#]*)/.exec(url.search)?.[1] || "";
  return {
    PAWL_DATABASE_URL: plain,
    ...(escaped === plain ? {} : { "PAWL_DATABASE_URL, escaped": escaped }),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Gone with this process; one that was killed leaves its file to the next. */
function keep(folder: string, url: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) if (!lives(Number.parseInt(name, 10))) forget(join(folder, name));
  const path = join(folder, `${process.pid}-${newId()}`);
  writeFileSync(path, `${url}\n`, { flag: "wx", mode: 0o600 });
  process.once("exit", () => forget(path));
  return path;
}

const forget = (path: string): void => rmSync(path, { force: true });

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
