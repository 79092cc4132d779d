import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Failure } from "../../domain/index.ts";
import { type Environment, withoutGit } from "../git/index.ts";

/** A new folder among the temporary ones of this machine. */
export const temporaryFolder = (prefix: string): string => realpathSync(mkdtempSync(join(tmpdir(), prefix)));

/** An author of its own: a person who tries something may have none yet, and no signature is theirs. */
const CONFIG = [
  ["user.name", "Pawl demo"],
  ["user.email", "demo@pawl.invalid"],
  ["commit.gpgsign", "false"],
] as const;

/** Makes a repository with one commit of these files, in a folder that is new or empty. */
export async function newRepository(
  folder: string,
  files: Readonly<Record<string, string>>,
  env: Environment,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { flag: "wx" });
  const git = async (...args: readonly string[]): Promise<void> => {
    try {
      await promisify(execFile)("git", args, { cwd: folder, env: withoutGit(env) });
    } catch (error) {
      throw new Failure("git/failed", `git ${args[0]} failed in ${folder}: ${(error as Error).message}`, {
        folder,
      });
    }
  };
  await git("init", "--quiet", "--initial-branch=main");
  for (const [name, value] of CONFIG) await git("config", name, value);
  await git("add", "--all");
  await git("commit", "--quiet", "--message=A plan to try Pawl with");
}
