import { Failure } from "../../../domain/index.ts";
import type { BranchPush, PushOutcome } from "../../ports/index.ts";
import { type Environment, networkVariables } from "../process/git-environment.ts";
import type { RunGit } from "../process/run-git.ts";
import { nameCommits } from "../refs/name-commits.ts";
import type { RemoteConfig } from "./relative-remotes.ts";

interface Reaching {
  readonly run: RunGit;
  readonly env: Environment;
  readonly configFor: RemoteConfig;
}

/** A network that hangs must not hold up work that does not need it. */
const FETCH_MS = 2 * 60_000;
const PUSH_MS = 5 * 60_000;
/** How often a fetch is repeated that another fetch of this clone got in the way of. */
const MOST_FETCHES = 5;

/**
 * Asks a remote where a branch is; undefined where the remote has no such branch.
 *
 * The star makes git answer with nothing for a branch that is not there, and `--prune` drop what it knew of one that is
 * gone since.
 */
export async function fetchBranch(
  reaching: Reaching,
  remote: string,
  branch: string,
): Promise<string | undefined> {
  const known = `refs/remotes/${remote}/${branch}`;
  const args = [
    "fetch",
    "--quiet",
    "--prune",
    "--no-tags",
    "--no-auto-maintenance",
    "--no-write-fetch-head",
    "--end-of-options",
    remote,
    `+refs/heads/${branch}*:${known}*`,
  ];
  const { run, env } = reaching;
  const config = await reaching.configFor(remote);
  for (let round = 1; ; round += 1)
    try {
      await run({ args, access: "write", config, timeoutMs: FETCH_MS, variables: silentNetwork(env) });
      return (await nameCommits(run, [known])).get(known);
    } catch (error) {
      if (round === MOST_FETCHES || !saidIn(error).some((line) => OVERTAKEN.test(line)))
        throw unreachable(error, remote);
    }
}

/** Where ssh would ask on the terminal, for a passphrase or about a host, it fails instead: workers have no terminal. */
export const silentNetwork = (env: Environment): Record<string, string> => ({
  ...(env["SSH_ASKPASS"] === undefined ? { SSH_ASKPASS: "false", SSH_ASKPASS_REQUIRE: "force" } : {}),
  ...networkVariables(env),
});

const OVERTAKEN = /cannot lock ref/;

/**
 * Brings a commit to a branch of a remote, unless the branch is elsewhere by now.
 *
 * A failure leaves open whether the commit arrived: the answer may have been lost.
 */
export async function pushBranch(
  { run, env, configFor }: Reaching,
  { remote, branch, commit, expected, worktree }: BranchPush,
): Promise<PushOutcome> {
  const ref = `refs/heads/${branch}`;
  let code = 0;
  let said: readonly string[] = [];
  const config = await configFor(remote);
  const answered = run({
    args: [
      "push",
      "--porcelain",
      `--force-with-lease=${ref}:${expected ?? ""}`,
      "--end-of-options",
      remote,
      `${commit}:${ref}`,
    ],
    access: "write",
    config,
    // Hooks of the user's own see what they always see.
    ...(worktree === undefined ? {} : { worktree }),
    timeoutMs: PUSH_MS,
    variables: silentNetwork(env),
    answers: [1],
    onExit: (exit) => (code = exit),
    onWarning: (lines) => (said = lines),
  });
  const output = await answered.catch((error: unknown) => {
    throw unreachable(error, remote);
  });
  return code === 0 ? { kind: "pushed" } : { kind: "rejected", said: reasonIn(output, said) };
}

/** What the server said, else what git made of it. */
function reasonIn(output: string, said: readonly string[]): readonly string[] {
  const remote = said
    .filter((line) => line.startsWith("remote:"))
    .map((line) => line.slice("remote:".length).trim());
  const refs = output
    .split("\n")
    .filter((line) => line.startsWith("!"))
    .map((line) => line.split("\t").at(-1)!);
  const own = said.filter((line) => !line.startsWith("remote:") && !line.startsWith("hint:"));
  const lines = [...remote, ...(refs.length > 0 ? refs : own)].filter((line) => line.trim() !== "");
  return lines.map(withoutCredentials).slice(0, MOST_SAID);
}

const MOST_SAID = 20;

const saidIn = (error: unknown): readonly string[] => {
  const lines = error instanceof Failure ? error.details["stderr"] : undefined;
  return Array.isArray(lines) ? lines.map(String) : [];
};

/** A git that was ended from outside has said nothing about the remote. */
export function unreachable(error: unknown, remote: string): unknown {
  if (!(error instanceof Failure) || error.problem === "git/stopped" || error.problem === "git/busy")
    return error;
  const said = saidIn(error).map(withoutCredentials);
  const why = said.find((line) => line.trim() !== "") ?? withoutCredentials(error.message);
  return new Failure("remote/unreachable", `${remote} cannot be reached: ${why.replace(/\.$/, "")}.`, {
    remote,
    said: said.slice(0, MOST_SAID),
  });
}

/** An address may hold a name and a password or token; what git says of it ends up in reports and logs. */
const withoutCredentials = (text: string): string =>
  text.replaceAll(/(?<=[a-z0-9+.-]:\/\/)[^\s/'"@]*@/gi, "");
