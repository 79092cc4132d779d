import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSettings } from "../repository/git-config.ts";
import type { RunGit } from "../process/run-git.ts";
import { recordsOf } from "../process/git-output.ts";

/** What of git's configuration matters when files are kept byte for byte. */
export interface GitSettings {
  /** Names that switch every filter off, for a call that may compare contents: a filter is any program. */
  readonly withoutFilters: ReadonlyMap<string, string>;
  /** Whether line ends of all files may differ between the worktree and the repository. */
  readonly convertsLineEnds: boolean;
  /** Attributes for all repositories, where that is not the usual file. */
  readonly attributesFile: string | undefined;
}

export async function readGitSettings(run: RunGit): Promise<GitSettings> {
  const records = await recordsOf(run, { args: ["config", "-z", "--list"], access: "read" });
  const withoutFilters = new Map<string, string>();
  const values = new Map<string, string>();
  for (const record of records) {
    const end = record.indexOf("\n");
    const name = Buffer.from(end === -1 ? record : record.slice(0, end), "latin1").toString("utf8");
    values.set(name, end === -1 ? "true" : record.slice(end + 1));
    const driver = /^filter\.(.*)\.[^.]*$/s.exec(name)?.[1];
    if (driver === undefined) continue;
    withoutFilters.set(`filter.${driver}.clean`, "");
    withoutFilters.set(`filter.${driver}.process`, "");
    withoutFilters.set(`filter.${driver}.required`, "false");
  }
  return {
    withoutFilters,
    convertsLineEnds: !OFF.has((values.get("core.autocrlf") ?? "false").toLowerCase()),
    attributesFile: values.get("core.attributesfile"),
  };
}

const OFF: ReadonlySet<string> = new Set(["false", "no", "off", "0", ""]);

/** Only the repository's own file may say it, so nothing else needs to be asked. */
export const objectFormatOf = (commonDir: string): string =>
  ownSettings(commonDir).get("extensions.objectformat") ?? "sha1";

/** Git notes it there when it makes a repository on a file system on which case does not count. */
export const ignoresCase = (commonDir: string): boolean =>
  !OFF.has((ownSettings(commonDir).get("core.ignorecase") ?? "false").toLowerCase());

function ownSettings(commonDir: string): ReadonlyMap<string, string> {
  const config = join(commonDir, "config");
  return parseSettings(existsSync(config) ? readFileSync(config, "utf8") : "");
}
