import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cleanEnv, testRepository, type TestRepository } from "../test/support/repository.ts";

/** The installed command line. This file runs from the folder beside it, where `run.mjs` packs it. */
export const PAWL = fileURLToPath(new URL("../dist/pawl.cjs", import.meta.url));

/** Children see nothing of ours, and no option of Node that would slow or speed all of them. */
export const env: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(cleanEnv()).filter(([name]) => !name.startsWith("NODE_")),
);

/** Runs a program with Node and waits; answers with the milliseconds from start to end. A failure breaks the benchmark. */
export const node = (cwd: string, ...args: readonly string[]): number => nodeWith(undefined, cwd, args);

function nodeWith(input: string | undefined, cwd: string, args: readonly string[]): number {
  const start = performance.now();
  const { status, stderr, error } = spawnSync(process.execPath, args, {
    cwd,
    env,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    ...(input === undefined ? {} : { input }),
    maxBuffer: 1 << 30,
  });
  const tookMs = performance.now() - start;
  if (status !== 0)
    throw new Error(`${args.join(" ")} ended with ${status}: ${error?.message ?? stderr.toString()}`);
  return tookMs;
}

export const pawl = (cwd: string, ...args: readonly string[]): number => node(cwd, PAWL, ...args);

/** A hook as the agent's program calls it: with its event on a pipe. */
export const pawlHook = (cwd: string, name: string): number =>
  nodeWith(JSON.stringify({ session_id: "bench", hook_event_name: name }), cwd, [PAWL, "hook", name]);

/** Git as people call it, flushed to the disk as Pawl flushes it; answers with the milliseconds it took. */
export function durableGit(cwd: string, ...args: readonly string[]): number {
  const start = performance.now();
  const { status, stderr } = spawnSync("git", ["-c", "core.fsync=all", "-c", "gc.auto=0", ...args], {
    cwd,
    env,
  });
  const tookMs = performance.now() - start;
  if (status !== 0) throw new Error(`git ${args.join(" ")} ended with ${status}: ${stderr.toString()}`);
  return tookMs;
}

/** The least that any command of a Node program costs. */
export const bareNode = (cwd: string): number => node(cwd, "-e", "0");

/** A repository for the length of one piece of work. */
export async function inRepository<T>(work: (repository: TestRepository) => Promise<T>): Promise<T> {
  const repository = testRepository();
  try {
    return await work(repository);
  } finally {
    repository.remove();
  }
}

export const databaseOf = (repository: TestRepository): string => join(repository.path, ".git/pawl/state.db");
