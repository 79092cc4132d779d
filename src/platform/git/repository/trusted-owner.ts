import { lstatSync } from "node:fs";
import { gitEnvironment, type Environment } from "../process/git-environment.ts";

/** Who asks: the effective user, and the environment that may name the user behind `sudo`. */
export interface Asker {
  readonly uid: number | undefined;
  readonly env: Environment;
}

/**
 * Why git would not trust what was found, or undefined when it does.
 *
 * A repository's settings can run programs, so git works only in what belongs to its user. That rule is applied here
 * without git; only for what belongs to another user is git itself asked, because `safe.directory` may allow it.
 */
export function ownerProblem(cwd: string, owned: readonly string[], asker: Asker): string | undefined {
  if (asker.uid === undefined || owned.every((path) => isOurs(path, asker))) return undefined;
  // Loading it costs half a millisecond, and a repository of another user is rare.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const answer = spawnSync("git", ["rev-parse", "--git-dir"], {
    cwd,
    env: gitEnvironment(asker.env),
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
    timeout: 10_000,
  });
  if (answer.status === 0) return undefined;
  if (answer.error !== undefined) {
    const missing = "code" in answer.error && answer.error.code === "ENOENT";
    const why = missing ? "there is no git on PATH to ask" : `git did not answer (${answer.error.message})`;
    return `it belongs to another user, and ${why} whether that is allowed`;
  }
  // Ended by a signal, git has said nothing.
  if (answer.signal !== null) return `it belongs to another user, and git was ended by ${answer.signal}`;
  return answer.stderr.split("\n")[0]?.replace(/^fatal: /, "") || "it belongs to another user";
}

/** Root trusts what is root's own and, under sudo, what belongs to the user behind it; like git, no other user's. */
function isOurs(path: string, { uid, env }: Asker): boolean {
  const owner = lstatSync(path).uid;
  if (owner === uid) return true;
  const behindSudo = env["SUDO_UID"];
  return uid === 0 && behindSudo !== undefined && /^\d+$/.test(behindSudo) && Number(behindSudo) === owner;
}
