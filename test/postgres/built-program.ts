import { type ChildProcess, spawn } from "node:child_process";
import { dirname } from "node:path";
import { buildPrograms } from "../support/child-program.ts";
import { cleanEnv } from "../support/repository.ts";

/** A program of `programs/`, built from the source as it is now, to be run as many processes. */
export interface BuiltProgram {
  readonly start: (input: object, env?: Readonly<Record<string, string>>) => ChildProcess;
  readonly remove: () => void;
}

export async function buildProgram(name: string): Promise<BuiltProgram> {
  const { path, remove } = await buildPrograms("test/postgres/programs", [name]);
  return {
    start: (input, env) =>
      spawn(process.execPath, [path(name), JSON.stringify(input)], {
        cwd: dirname(path(name)),
        env: cleanEnv(env),
        stdio: ["ignore", "pipe", "pipe"],
      }),
    remove,
  };
}
