import { spawn, spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { cleanEnv } from "./repository.ts";

/** The built command line, as people get it. */
export const PAWL = fileURLToPath(new URL("../../dist/pawl.cjs", import.meta.url));

/** Whether a user without rights can be played: only root can, and only where others may enter the way to `pawl`. */
export function canPlayOthers(): boolean {
  if (process.getuid?.() !== 0) return false;
  for (let folder = dirname(PAWL); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o005) !== 0o005) return false;
    if (dirname(folder) === folder) return true;
  }
}

export interface Envelope {
  readonly schema_version: "1";
  readonly command: string;
  readonly status: "ok" | "error";
  readonly data: Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- tests look into every shape
  readonly issues: readonly {
    readonly code: string;
    readonly name: string;
    readonly severity: string;
    readonly message: string;
    readonly hint: string;
    readonly details?: Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- as above
  }[];
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly uid?: number;
}

export interface Run {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `pawl` and waits for it. */
export function pawl(options: RunOptions, ...args: readonly string[]): Run {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [PAWL, ...args], {
    cwd: options.cwd,
    env: cleanEnv(options.env),
    input: options.input ?? "",
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  return { code: status, signal, stdout, stderr };
}

/** Runs `pawl … --json` and reads its envelope; fails when stdout is anything else. */
export function pawlJson(
  options: RunOptions,
  ...args: readonly string[]
): Envelope & { readonly code: number | null } {
  const { code, stdout, stderr } = pawl(options, ...args, "--json");
  const lines = stdout.split("\n").filter(Boolean);
  if (lines.length !== 1)
    throw new Error(`expected one line of JSON, got ${lines.length}: ${stdout}\n${stderr}`);
  return { ...(JSON.parse(lines[0]!) as Envelope), code };
}

/** The answer of a command that prints its progress as lines of JSON first. */
export const lastJson = ({ stdout }: Run): Envelope =>
  JSON.parse(stdout.trim().split("\n").at(-1)!) as Envelope;

/** Runs `pawl` beside the test; resolves when it ends. */
export function pawlAsync(
  options: RunOptions & { readonly stdin?: "ignore" | "pipe" },
  ...args: readonly string[]
): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PAWL, ...args], {
      cwd: options.cwd,
      env: cleanEnv(options.env),
      stdio: [options.stdin ?? "ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout!.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr!.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.on("error", reject).on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}
