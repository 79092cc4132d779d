import { statSync } from "node:fs";
import { Failure, type Settings } from "../../domain/index.ts";
import { nodeFiles } from "../os/index.ts";

/** The server that keeps the state, by the first that names one: a variable, a file, `pawl.toml`. Undefined: none does. */
export const serverUrl = (
  env: Readonly<Record<string, string | undefined>>,
  settings: Settings,
): string | undefined =>
  env["PAWL_DATABASE_URL"] || urlIn(env["PAWL_DATABASE_URL_FILE"]) || settings.database_url;

const MOST_BYTES = 4096;

/** Holds a password, as a rule: like ssh with its keys, one that others can read is refused. */
function urlIn(path: string | undefined): string | undefined {
  if (!path) return undefined;
  const refuse = (why: string) =>
    new Failure("store/open-failed", `The file that PAWL_DATABASE_URL_FILE names ${why}.`, { path });
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) throw refuse("is not there");
  if ((stat.mode & 0o077) !== 0) throw refuse("can be read by others; make it yours with chmod 600");
  return new TextDecoder().decode(nodeFiles.read(path, MOST_BYTES)).trim();
}
