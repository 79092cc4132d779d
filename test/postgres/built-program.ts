import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { cleanEnv } from "../support/repository.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** A program of `programs/`, built from the source as it is now, to be run as many processes. */
export interface BuiltProgram {
  readonly start: (input: object, env?: Readonly<Record<string, string>>) => ChildProcess;
  readonly remove: () => void;
}

export async function buildProgram(name: string): Promise<BuiltProgram> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pawl-program-")));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const bundle = await rolldown({
    cwd: ROOT,
    input: { program: join(ROOT, `test/postgres/programs/${name}.ts`) },
    platform: "node",
    external: [/^node:/, "@photostructure/sqlite", "pg"],
    transform: { target: "node20.19" },
    logLevel: "warn",
    checks: { ineffectiveDynamicImport: false },
  });
  await bundle.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "parts/[name].mjs",
  });
  await bundle.close();
  return {
    start: (input, env) =>
      spawn(process.execPath, [join(folder, "program.mjs"), JSON.stringify(input)], {
        cwd: folder,
        env: cleanEnv(env),
        stdio: ["ignore", "pipe", "pipe"],
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
