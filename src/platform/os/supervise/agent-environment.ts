import { delimiter } from "node:path";
import type { AgentSituation } from "../../ports/index.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment for an agent: the user's own, without what binds it to another place and without Pawl's secrets.
 *
 * Inside a hook git exports GIT_DIR and others, and an agent that inherits them works in another repository. Variables
 * of an outer Pawl session would make it write under that session's name.
 */
export function agentEnvironment(
  env: Environment,
  situation: AgentSituation,
  more: AgentExtras = {},
): Record<string, string> {
  const given: Record<string, string> = {};
  const isHandedOn = more.variables?.["PAWL_DATABASE_URL_FILE"] !== undefined;
  const ownPassword = env["PAWL_DATABASE_URL"] !== undefined || isHandedOn;
  for (const [name, value] of Object.entries(env)) {
    if (more.isPublished && SERVICE_TOKENS.has(name)) continue;
    if (value === undefined || isLeftOut(name) || (ownPassword && name === "PGPASSWORD")) continue;
    given[name] = value;
  }
  const { plan, step, session, worktree, claim, portBase } = situation;
  const own = {
    PAWL_PLAN: plan,
    PAWL_STEP: step,
    PAWL_SESSION: session,
    PAWL_WORKTREE: worktree,
    PAWL_CLAIM: claim === undefined ? undefined : String(claim),
    PAWL_PORT_BASE: portBase === undefined ? undefined : String(portBase),
  };
  for (const [name, value] of Object.entries({ ...more.variables, ...own }))
    if (value !== undefined) given[name] = value;
  Object.assign(given, durableGit(env));
  if (more.folder !== undefined) given["PATH"] = [more.folder, given["PATH"]].filter(Boolean).join(delimiter);
  return given;
}

/**
 * Git's settings by environment: the user's own, and that an agent's git flushes what it writes.
 *
 * Git's default leaves new objects to the system, and a power cut then leaves a branch that names an empty one.
 */
function durableGit(env: Environment): Readonly<Record<string, string>> {
  const count = /^\d+$/.test(env["GIT_CONFIG_COUNT"] ?? "") ? Number(env["GIT_CONFIG_COUNT"]) : 0;
  const settings: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const index = GIT_SETTING.exec(name)?.[1];
    if (value !== undefined && index !== undefined && Number(index) < count) settings[name] = value;
  }
  return {
    ...settings,
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: "core.fsync",
    [`GIT_CONFIG_VALUE_${count}`]: "all",
  };
}

/** What an agent gets on top of the user's own environment. */
export interface AgentExtras {
  readonly variables?: Readonly<Record<string, string>>;
  /** Searched before everything else on PATH. */
  readonly folder?: string | undefined;
  /** Whether Pawl makes the requests of a plan: their tokens are no agent's then. */
  readonly isPublished?: boolean | undefined;
}

/** What `gh` and `glab` are let in by. */
const SERVICE_TOKENS: ReadonlySet<string> = new Set([
  "GH_TOKEN",
  "GITHUB_TOKEN",
  "GH_ENTERPRISE_TOKEN",
  "GITHUB_ENTERPRISE_TOKEN",
  "GITLAB_TOKEN",
  "GITLAB_ACCESS_TOKEN",
  "OAUTH_TOKEN",
]);

function isLeftOut(name: string): boolean {
  if (name.startsWith("PAWL_")) return !KEPT.has(name);
  return BOUND.has(name) || GIT_SETTING.test(name);
}

const GIT_SETTING = /^GIT_CONFIG_(?:KEY|VALUE)_(\d+)$/;

/** Not secret, and without them a verb that an agent calls would look for the state elsewhere. */
const KEPT: ReadonlySet<string> = new Set([
  "PAWL_STATE_DIR",
  "PAWL_DATABASE_URL_FILE",
  "PAWL_REPOSITORY_ID",
  "PAWL_HOST_ID",
  "PAWL_DEBUG",
]);

/** What binds git to one repository (`git rev-parse --local-env-vars`), and what makes an agent think it runs inside itself. */
const BOUND: ReadonlySet<string> = new Set([
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_COMMON_DIR",
  "GIT_CONFIG",
  "GIT_CONFIG_COUNT",
  "GIT_CONFIG_PARAMETERS",
  "GIT_DIR",
  "GIT_GRAFT_FILE",
  "GIT_IMPLICIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_INTERNAL_SUPER_PREFIX",
  "GIT_NAMESPACE",
  "GIT_NO_REPLACE_OBJECTS",
  "GIT_OBJECT_DIRECTORY",
  "GIT_PREFIX",
  "GIT_QUARANTINE_PATH",
  "GIT_REPLACE_REF_BASE",
  "GIT_SHALLOW_FILE",
  "GIT_WORK_TREE",
  "CLAUDECODE",
]);
