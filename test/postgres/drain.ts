import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { compose } from "../../src/compose.ts";
import { type Pawl, pawlOn } from "../../src/api.ts";
import { planText } from "../support/plans.ts";
import type { BuiltProgram } from "./built-program.ts";
import { type Clone, clones, PLAN } from "./clones.ts";
import type { DrainInput, DrainLine } from "./programs/drain.ts";
import { problemsOnServer, rowsOf } from "./server-world.ts";
import { schemaOf } from "./shared-server.ts";

export const STEPS = 500;

/** Steps that wait for others of different distance, so that completions meet at the same dependents. */
export const bigPlan = (steps: number): string =>
  planText(
    Array.from({ length: steps }, (_, index) => ({
      number: String(index + 1),
      dependsOn: [7, 8].filter((back) => index >= back + 20).map((back) => `step-${index + 1 - back}`),
    })),
  );

export interface Drain {
  readonly program: BuiltProgram;
  /** How the test asks the server. */
  readonly url: string;
  /** How the workers reach it. */
  readonly workerUrl?: string;
  readonly workersPerHost?: number;
  readonly clockErrorMs?: number;
  /** Runs beside the workers, until they are done. */
  readonly meanwhile?: (isOver: () => boolean) => Promise<void>;
}

export interface Drained {
  readonly lines: readonly DrainLine[];
  readonly failures: readonly string[];
}

/**
 * Two machines work through one plan, several processes each. One repeats what failed under its request id, the other
 * has none. Afterwards every step must be completed once, by the claim that was reported, and the history must be sound.
 */
export async function drain({
  program,
  url,
  workerUrl = url,
  workersPerHost = 2,
  clockErrorMs = 0,
  meanwhile,
}: Drain): Promise<Drained> {
  const shared = clones(url, bigPlan(STEPS));
  const hosts = [shared.clone("host-a"), shared.clone("host-b")] as const;
  const running: ChildProcess[] = [];
  try {
    const pawl = await openClone(hosts[0]);
    await pawl.init({ plan: PLAN });
    await pawl.close();
    let over = false;
    const work = hosts.flatMap((host, place) =>
      Array.from({ length: workersPerHost }, (_, index) => {
        const input: DrainInput = {
          worktree: host.addWorktree(`w${index}`),
          plan: PLAN,
          requestIds: place === 0,
          clockErrorMs: place === 0 ? 0 : clockErrorMs,
          bootId: `boot-of-${place}`,
        };
        const child = program.start(input, { ...host.env, PAWL_DATABASE_URL: workerUrl });
        running.push(child);
        return toldBy(child);
      }),
    );
    const chaos = meanwhile?.(() => over);
    const told = await Promise.all(work).finally(() => (over = true));
    await chaos;
    const [id, other] = hosts.map(repositoryIdOf);
    expect(other).toBe(id);
    const lines = told.flat();
    await expectDrained(url, schemaOf(id!), lines);
    return { lines, failures: lines.flatMap((line) => (line.told === "failed" ? [line.code] : [])) };
  } finally {
    for (const child of running) child.kill("SIGKILL");
    shared.remove();
  }
}

/** As the clone's own machine would open it: another kernel, another boot. */
export async function openClone({ path, env }: Clone, more: object = {}): Promise<Pawl> {
  const ports = await compose({ cwd: path, env: { ...env, ...more } });
  return pawlOn({ ...ports, machine: { ...ports.machine, bootId: `boot-of-${ports.machine.hostId}` } });
}

export const repositoryIdOf = ({ path }: Clone): string =>
  readFileSync(join(path, ".git/pawl/repository-id"), "utf8").trim();

/** Every answer a worker received; a worker that ends badly fails the test. */
function toldBy(child: ChildProcess): Promise<readonly DrainLine[]> {
  return new Promise((resolve, reject) => {
    let stdout = "";
    let stderr = "";
    child.stdout!.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr!.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.on("error", reject).on("close", (code, signal) => {
      if (code !== 0)
        return reject(new Error(`a worker ended with ${signal ?? code}: ${stderr}${stdout.slice(-500)}`));
      resolve(
        stdout
          .split("\n")
          .filter(Boolean)
          .map((line) => JSON.parse(line) as DrainLine),
      );
    });
  });
}

async function expectDrained(url: string, schema: string, lines: readonly DrainLine[]): Promise<void> {
  const { steps, events } = await rowsOf(url, schema);
  const completed = lines.flatMap((line) => (line.told === "completed" ? [line] : []));
  const claimed = lines.flatMap((line) => (line.told === "claimed" ? [line] : []));
  // What was reported happened, and once.
  expect(completed.map((line) => line.anchor).toSorted(inOrder)).toEqual(
    steps.map((step) => String(step["anchor"])).toSorted(inOrder),
  );
  expect(claimed.filter((line) => line.claim !== 1 || line.reclaimed)).toEqual([]);
  // What happened was reported, and once.
  expect(steps.filter((step) => step["status"] !== "completed" || step["claim_seq"] !== 1)).toEqual([]);
  for (const event of ["claimed", "started", "completed"])
    expect(events.filter((line) => line["event"] === event)).toHaveLength(steps.length);
  expect(await problemsOnServer(url, schema)).toEqual([]);
}

const inOrder = (a: string, b: string): number => (a < b ? -1 : 1);
