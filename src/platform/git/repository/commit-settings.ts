import { accessSync, constants, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Environment } from "../process/git-environment.ts";
import type { RunGit } from "../process/run-git.ts";
import { isTrue } from "./git-config.ts";

/** What git's settings say about making commits. */
export interface CommitSettings {
  /** The setting `core.hooksPath`; hooks are in the git directory where there is none. */
  readonly hooksPath: string | undefined;
  readonly signs: boolean;
}

interface Cached {
  /** When each file was last written that a setting comes from, or could come from. */
  readonly stamp: string;
  readonly files: readonly string[];
  readonly settings: CommitSettings;
}

const cache = new Map<string, Cached>();

/**
 * Reads the settings, and reads them again once a file that they come from has changed.
 *
 * A run makes many merges, and asking git for each costs a process per setting. Tools that agents install set
 * `core.hooksPath` in the middle of a run, so an answer holds only as long as its files do. Files that settings include
 * may come and go unseen, and a worktree may have settings of its own: then nothing is kept.
 */
export async function readCommitSettings(
  run: RunGit,
  { gitDir: commonDir, env }: { readonly gitDir: string; readonly env: Environment },
): Promise<CommitSettings> {
  const cached = cache.get(commonDir);
  if (cached !== undefined && stampOf(cached.files) === cached.stamp) return cached.settings;
  const known = [...new Set([...usualFiles(commonDir, env), ...(cached?.files ?? [])])];
  const before = stampOf(known);
  // Reading switches hooks off by a setting, so this is asked as writers are.
  const answer = await run({ args: ["config", "--list", "--show-origin", "-z"], access: "write" });
  const fields = answer.split("\0");
  const values = new Map<string, string>();
  const origins = new Set<string>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const origin = fields[at]!;
    const pair = fields[at + 1]!;
    const end = pair.indexOf("\n");
    values.set(end === -1 ? pair : pair.slice(0, end), end === -1 ? "true" : pair.slice(end + 1));
    if (origin.startsWith("file:")) origins.add(resolve(commonDir, origin.slice("file:".length)));
  }
  const settings = {
    hooksPath: values.get("core.hookspath") || undefined,
    signs: isTrue(values.get("commit.gpgsign")),
  };
  // A file that was not known before may have changed since git read it.
  const isSure = stampOf(known) === before && [...origins].every((file) => known.includes(file));
  const isVaried = [...values.keys()].some((name) => VARYING.test(name));
  const files = [...new Set([...known, ...origins])];
  cache.set(commonDir, { files, stamp: isSure && !isVaried ? before : UNSURE, settings });
  return settings;
}

const UNSURE = "unsure";
const VARYING = /^(?:include\.|includeif\.|extensions\.worktreeconfig$)/;

/** Where a setting would be that is not there yet. */
function usualFiles(commonDir: string, env: Environment): readonly string[] {
  const { HOME = "", XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM } = env;
  return [
    join(commonDir, "config"),
    ...(GIT_CONFIG_GLOBAL
      ? [GIT_CONFIG_GLOBAL]
      : [join(HOME, ".gitconfig"), join(XDG_CONFIG_HOME || join(HOME, ".config"), "git/config")]),
    GIT_CONFIG_SYSTEM || "/etc/gitconfig",
  ];
}

const stampOf = (files: readonly string[]): string => files.map(stampOfFile).join("\n");

function stampOfFile(file: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch {
    return "-";
  }
}

/** Whether git would run one of these hooks. With a `core.hooksPath`, which may be relative to a checkout, it may. */
export const mayRunHooks = (
  { hooksPath }: CommitSettings,
  commonDir: string,
  names: readonly string[],
): boolean => hooksPath !== undefined || names.some((name) => isExecutable(join(commonDir, "hooks", name)));

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
