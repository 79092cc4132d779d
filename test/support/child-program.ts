import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { PAWL } from "./cli.ts";
import { cleanEnv } from "./repository.ts";

/** Programs that tests run as processes of their own, written in TypeScript beside the tests. */
export interface ChildPrograms<Name extends string> {
  /** Path of the built program. */
  readonly path: (name: Name) => string;
  /** Runs a program to its end. The input is given as one JSON argument. */
  readonly run: (name: Name, input: object, options?: RunOptions) => Ended;
  /** Starts a program and leaves it running; its caller ends it. */
  readonly start: (name: Name, input: object, options?: RunOptions) => ChildProcess;
  readonly remove: () => void;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Set by a caller that runs these files from another place than their own. */
const ROOT = process.env["PAWL_TEST_ROOT"] ?? fileURLToPath(new URL("../../", import.meta.url));

/** Programs of `test/crash/programs`, built once for a whole test file. */
export const childPrograms = <Name extends string>(...names: readonly Name[]): Promise<ChildPrograms<Name>> =>
  buildPrograms("test/crash/programs", names);

/**
 * Builds programs from source into a temporary folder.
 *
 * They hold the code of `src/` as it is at this moment, not that of `dist/`, and put it together with a composition
 * root of their own. The folder links to `node_modules`, because the database engine is looked up from where the
 * program lies.
 */
export async function buildPrograms<Name extends string>(
  from: string,
  names: readonly Name[],
): Promise<ChildPrograms<Name>> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pawl-programs-")));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const bundle = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(names.map((name) => [name, join(ROOT, from, `${name}.ts`)])),
    platform: "node",
    external: [/^node:/, "@photostructure/sqlite", "pg", "fast-check", "rolldown"],
    transform: { target: "node20.19" },
    logLevel: "warn",
    checks: { ineffectiveDynamicImport: false },
  });
  await bundle.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "parts/[name].mjs",
    // As in the library: a process whose first claim loads forty files has its rivals wait for the disk.
    codeSplitting: { groups: [{ name: "worker", test: /src\/flow\/(claim|start|complete)\.ts$/ }] },
  });
  await bundle.close();
  const path = (name: Name): string => join(folder, `${basename(name)}.mjs`);
  return {
    path,
    run(name, input, { env, cwd = folder } = {}) {
      const { status, signal, stdout, stderr } = spawnSync(
        process.execPath,
        [path(name), JSON.stringify(input)],
        {
          cwd,
          env: cleanEnv(env),
          encoding: "utf8",
          maxBuffer: 256 * 1024 * 1024,
        },
      );
      return { code: status, signal, stdout, stderr };
    },
    start: (name, input, { env, cwd = folder } = {}) =>
      spawn(process.execPath, [path(name), JSON.stringify(input)], {
        cwd,
        env: cleanEnv(env),
        stdio: ["pipe", "pipe", "pipe"],
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The heartbeat's thread starts from a built file, which is looked for at or above the program. */
export function linkHeart<Name extends string>({ path }: ChildPrograms<Name>, name: Name): void {
  symlinkSync(join(dirname(PAWL), "heartbeat.js"), join(dirname(path(name)), "heartbeat.js"));
}

/** Runs a program without blocking the test, so that several can run side by side. */
export function ended(child: ChildProcess): Promise<Ended> {
  return new Promise((resolve, reject) => {
    let stdout = "";
    let stderr = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.on("error", reject).on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}
