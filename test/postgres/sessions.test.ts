import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { flatPlan } from "../support/plans.ts";
import { until } from "../support/until.ts";
import { type BuiltProgram, buildProgram } from "./built-program.ts";
import { type Clone, clones, PLAN } from "./clones.ts";
import { openClone } from "./drain.ts";
import { sharedServer } from "./shared-server.ts";

const shared = sharedServer();
let program: BuiltProgram;

beforeAll(async () => {
  program = await buildProgram("hold-session");
});
afterAll(() => program?.remove());

/** Two machines, and a plan of one step that a session on the first of them holds. */
async function held(leaseSeconds: number) {
  const all = clones(shared.url, flatPlan(1));
  onTestFinished(all.remove);
  const [a, b] = [all.clone("host-a"), all.clone("host-b")];
  const [atA, atB] = [await openClone(a), await openClone(b)];
  onTestFinished(async () => {
    await Promise.all([atA.close(), atB.close()]);
  });
  await atA.init({ plan: PLAN });
  const worktree = a.addWorktree("session");
  const child = program.start({ worktree, plan: PLAN, leaseSeconds }, a.env);
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  await firstLine(child);
  const claim = (clone: Clone) =>
    (clone === a ? atA : atB).claim({ plan: PLAN, worktree: clone.path }).then(({ claimed }) => claimed);
  /** By the server's clock, as the other machine sees it; it claims nothing. */
  const leaseEnds = () =>
    until(async () => (await atB.ready({ plan: PLAN })).expiredClaim.length > 0, "its lease is over");
  return { a, b, claim, child, leaseEnds };
}

async function firstLine(child: ChildProcess): Promise<void> {
  let stderr = "";
  child.stderr!.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  await Promise.race([
    once(child.stdout!, "data"),
    once(child, "exit").then(() => {
      throw new Error(`the session did not come about: ${stderr}`);
    }),
  ]);
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

describe("a step whose session is dead", () => {
  test("is free at once on the machine it ran on", async () => {
    const { a, claim, child } = await held(7200);
    expect(await claim(a)).toBe(false);
    await killed(child);
    expect(await claim(a)).toBe(true);
  });

  test("is free on another machine once its own machine has noticed", async () => {
    const { a, b, claim, child } = await held(7200);
    await killed(child);
    // From here a dead session looks like one behind a broken wire.
    expect(await claim(b)).toBe(false);
    const pawl = await openClone(a);
    // Only a verb that writes records the end for everybody.
    await pawl.doctor();
    expect(await claim(b)).toBe(false);
    await pawl.gc();
    await pawl.close();
    expect(await claim(b)).toBe(true);
  });

  test("is free on another machine when its lease is over by the server's clock", async () => {
    const { b, claim, child, leaseEnds } = await held(3);
    await killed(child);
    expect(await claim(b)).toBe(false);
    await leaseEnds();
    expect(await claim(b)).toBe(true);
  });
});

describe("a step of a living session", () => {
  test("is not taken on its own machine, however old its lease, and on another only after it", async () => {
    const { a, b, claim, leaseEnds } = await held(3);
    expect(await claim(b)).toBe(false);
    await leaseEnds();
    expect(await claim(a)).toBe(false);
    expect(await claim(b)).toBe(true);
  });
});
