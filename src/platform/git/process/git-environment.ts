export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment for a git child: ours, without what steers git.
 *
 * Inside a hook git exports GIT_DIR, GIT_INDEX_FILE and others, and they beat `-C` and the working directory: a child
 * that inherits them commits into another repository. So every `GIT_*` name goes, those of future versions too, but
 * for who the author is, where git keeps its own programs, and which files hold the user's own settings: git exports
 * none of these to its hooks, so a user who set them meant them.
 */
export const gitEnvironment = (env: Environment): Record<string, string> => ({
  ...withoutGit(env),
  ...IMPOSED,
});

/** How the user's git reaches other machines; only for commands that do. */
const REACHING = [
  "GIT_SSH",
  "GIT_SSH_COMMAND",
  "GIT_SSH_VARIANT",
  "GIT_ASKPASS",
  "GIT_PROXY_COMMAND",
] as const;

/** What a command that goes over the network needs of the user's own environment. SSH_ASKPASS is in it anyway. */
export const networkVariables = (env: Environment): Record<string, string> =>
  Object.fromEntries(
    REACHING.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as [string, string]])),
  );

/** The same for other programs: whatever git they start works where they stand. */
export function withoutGit(env: Environment): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || SECRET.has(name)) continue;
    if (!/^GIT_/i.test(name) || KEPT.has(name)) clean[name] = value;
  }
  return clean;
}

const KEPT: ReadonlySet<string> = new Set([
  "GIT_AUTHOR_NAME",
  "GIT_AUTHOR_EMAIL",
  "GIT_COMMITTER_NAME",
  "GIT_COMMITTER_EMAIL",
  "GIT_EXEC_PATH",
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
]);

/** Hooks and filters of a repository run with this environment; a password is none of their business. */
const SECRET: ReadonlySet<string> = new Set(["PAWL_DATABASE_URL", "PGPASSWORD"]);

const IMPOSED = {
  // Reading must not take locks that a person's own git command then fails on.
  GIT_OPTIONAL_LOCKS: "0",
  // A prompt in a background process waits for ever.
  GIT_TERMINAL_PROMPT: "0",
  // What git says ends up in reports; in one language it can be searched for.
  LC_ALL: "C",
};
