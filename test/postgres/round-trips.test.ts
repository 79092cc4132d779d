import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { planText } from "../support/plans.ts";
import { clones, PLAN } from "./clones.ts";
import { openClone } from "./drain.ts";
import { sharedServer } from "./shared-server.ts";

const shared = sharedServer();

type Query = (this: Client, ...asked: unknown[]) => Promise<unknown>;

/** How many statements are sent while `work` runs, and how often a caller waits for the server before sending more. */
async function counted(work: () => Promise<unknown>): Promise<{ statements: number; waits: number }> {
  const prototype = Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  const count = { statements: 0, waits: 0 };
  let open = 0;
  prototype.query = function (this: Client, ...asked) {
    count.statements += 1;
    if (open === 0) count.waits += 1;
    open += 1;
    const answer = query.apply(this, [...asked]);
    const end = () => (open -= 1);
    answer.then(end, end);
    return answer;
  };
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return count;
}

/** Each verb: the beginning with what it asks, what it writes, the commit. */
test("a worker's verbs wait for the server at most three times each: over a network that is what they take", async () => {
  const tasks = Array.from({ length: 30 }, (_, index) => `task ${index}`);
  const all = clones(
    shared.url,
    planText(Array.from({ length: 100 }, (_, index) => ({ number: String(index + 1), tasks }))),
  );
  onTestFinished(all.remove);
  const clone = all.clone("host-a");
  const pawl = await openClone(clone);
  onTestFinished(() => pawl.close());
  await pawl.init({ plan: PLAN });
  const free = { plan: PLAN, worktree: clone.path };
  let who = { ...free, step: "", claim: 0 };
  const verbs: Readonly<Record<string, () => Promise<unknown>>> = {
    async claim() {
      const { anchor, claim } = await pawl.claim(free);
      who = { ...free, step: anchor!, claim: claim! };
    },
    start: () => pawl.start(who),
    heartbeat: () => pawl.heartbeat(who),
    update: () => pawl.update({ ...who, changes: [{ all: true, status: "completed" }] }),
    complete: () => pawl.complete(who),
    async "claim and start"() {
      const { anchor, claim } = await pawl.claim({ ...free, start: true });
      who = { ...free, step: anchor!, claim: claim! };
    },
  };
  const waits = async () => {
    const found: Record<string, number> = {};
    for (const [name, verb] of Object.entries(verbs)) found[name] = (await counted(verb)).waits;
    await verbs["update"]!();
    await verbs["complete"]!();
    return found;
  };
  // What only happens at first has happened by then.
  await waits();
  // The journal's answer is not waited for: where it comes late, the commit is sent before it, and a wait less is seen.
  const tooOften = Object.entries(await waits()).filter(([, times]) => times > 3);
  expect(tooOften).toEqual([]);
});
