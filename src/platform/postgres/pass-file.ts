import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Whose password is looked for. */
export interface PassQuestion {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

/**
 * The password from PostgreSQL's own file, `~/.pgpass` or what PGPASSFILE names, for URLs that hold none.
 *
 * So the URL can stand in `pawl.toml`, which everybody sees. As libpq does, a file that others can read is passed
 * over. The driver can read it too, but announces on stderr that it will stop doing so.
 */
export function passwordFromFile(question: PassQuestion): string | undefined {
  const path = process.env["PGPASSFILE"] || join(homedir(), ".pgpass");
  try {
    if ((statSync(path).mode & 0o077) !== 0 && process.platform !== "win32") return undefined;
    return findPassword(readFileSync(path, "utf8"), question);
  } catch {
    return undefined;
  }
}

/** The first line whose four fields fit; `*` fits everything, `\:` and `\\` are the characters themselves. */
export function findPassword(text: string, question: PassQuestion): string | undefined {
  const wanted = [question.host, String(question.port), question.database, question.user];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("#")) continue;
    const fields = line.split(SEPARATOR).map((field) => field.replace(/\\(.)/g, "$1"));
    const fits = wanted.every((value, index) => fields[index] === "*" || fields[index] === value);
    if (fits && fields.length > 4) return fields.slice(4).join(":");
  }
  return undefined;
}

/** A colon that no backslash takes its meaning from. */
const SEPARATOR = /(?<!(?<!\\)(?:\\\\)*\\):/;
