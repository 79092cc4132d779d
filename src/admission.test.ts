import { expect, it } from "vitest";
import { AGENT_COMMANDS } from "./cli/agent-commands.ts";
import { COMMANDS } from "./cli/commands/index.ts";
import type { CallingAgent } from "./agent-sessions/calling-agent.ts";
import { type Pawl, pawlOn, VERBS } from "./api.ts";
import type { Ports } from "./platform/ports/ports.ts";
import { admitting } from "./admission.ts";
import type { Callers } from "./verb.ts";

const RULES: readonly (readonly [name: string, Callers<never>])[] = Object.entries(VERBS).flatMap(
  ([name, { callers }]) => (callers === "anyone" ? [] : [[name, callers as Callers<never>] as const]),
);

it("lets anyone call what reads, unless it is about what people do", () => {
  const kept = RULES.map(([name]) => name).filter((name) => VERBS[name as keyof Pawl].access === "reads");
  expect(kept).toEqual(["previewRun", "refuseAgents"]);
});

it("leaves to a run what agents are not offered there", () => {
  const left = RULES.flatMap(([, { doneByRun }]) => doneByRun ?? []);
  const offered = Object.entries(AGENT_COMMANDS).filter(([, { inRun }]) => !inRun);
  expect(left.toSorted()).toEqual(offered.map(([name]) => name).toSorted());
});

const AGENT: CallingAgent = {
  session: "s-1",
  kind: "run",
  worktree: { path: "/w1", id: "id of /w1" },
  by: "process",
  isLive: true,
};

/** The verbs for a caller that is known to be this agent; answers with what got through. */
function verbsFor(agent: CallingAgent | undefined) {
  const through = Object.keys(pawlOn({} as Ports)).map((name) => [
    name,
    async (request: unknown) => ({ name, request }),
  ]);
  const pawl = { ...(Object.fromEntries(through) as Pawl), callingAgent: async () => agent };
  return admitting(VERBS, pawl, (path) => `id of ${path}`) as unknown as Record<
    string,
    (request?: unknown) => Promise<{ name: string; request: unknown }>
  >;
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "ok",
    (error: { code?: string }) => error.code,
  );

const MEANT: Readonly<Record<string, unknown>> = {
  init: { plan: "p", afresh: true },
  claim: { plan: "p", worktree: "/w1", force: true },
  complete: { plan: "p", step: "s", worktree: "/w1", forceReason: "x" },
  commit: { plan: "p", step: "s", worktree: "/w1", unverified: "x" },
  release: { plan: "p", step: "s" },
  reconcile: { plan: "p", force: true },
  refuseAgents: { verb: "ui" },
};
const FOR_PEOPLE = RULES.filter(([, rule]) => rule.forPeople !== undefined);

it.each(FOR_PEOPLE.map(([name]) => name))("keeps %s for people", async (name) => {
  const request = MEANT[name] ?? {};
  expect(await codeOf(verbsFor(AGENT)[name]!(request))).toBe("E077");
  expect(await codeOf(verbsFor({ ...AGENT, by: "environment" })[name]!(request))).toBe("E077");
  expect(await codeOf(verbsFor({ ...AGENT, by: "name", isLive: false })[name]!(request))).toBe("E077");
  expect(await codeOf(verbsFor({ ...AGENT, by: "folder" })[name]!(request))).toBe("E397");
  expect(await verbsFor(undefined)[name]!(request)).toEqual({ name, request });
});

it("names the command that was refused, as it is called", async () => {
  for (const [name, { forPeople = [] }] of FOR_PEOPLE) {
    const error = await verbsFor(AGENT)[name]!(MEANT[name] ?? {}).catch((one: unknown) => one);
    const { verb } = (error as { details: { verb: string } }).details;
    const named = forPeople.map(({ command }) => (typeof command === "string" ? command : verb));
    expect(named).toContain(verb);
    expect(COMMANDS).toHaveProperty([verb.replace(/ --.*/, "")]);
  }
});

it("lets an agent look at what it may not do", async () => {
  for (const name of ["prune", "dropSnapshot", "cleanWorktrees"])
    expect(await codeOf(verbsFor(AGENT)[name]!({ dryRun: true }))).toBe("ok");
  expect(await codeOf(verbsFor(AGENT)["reconcile"]!({ plan: "p", force: true, dryRun: true }))).toBe("ok");
});

const WRITES = ["start", "heartbeat", "update", "artifact"];

it.each(WRITES)("lets %s speak for the caller's own session alone", async (name) => {
  const call = { plan: "p", step: "s", worktree: "/w1", claim: 1 };
  const verbs = verbsFor(AGENT);
  expect((await verbs[name]!(call)).request).toEqual({ ...call, session: "s-1" });
  expect((await verbs[name]!({ ...call, session: "s-1" })).request).toEqual({ ...call, session: "s-1" });
  expect(await codeOf(verbs[name]!({ ...call, session: "s-2" }))).toBe("E398");
  expect(await codeOf(verbs[name]!({ ...call, worktree: "/w2" }))).toBe("E398");
  for (const by of ["environment", "folder"] as const) {
    const beside = verbsFor({ ...AGENT, by });
    expect((await beside[name]!(call)).request).toEqual({ ...call, session: undefined });
    expect(await codeOf(beside[name]!({ ...call, session: "s-2" }))).toBe("E398");
  }
  expect((await verbsFor(undefined)[name]!(call)).request).toEqual(call);
});

it("asks once where a worker comes from, and each time where it stands or what is for people", async () => {
  const asked = async (agent: CallingAgent | undefined, name: string, request: object) => {
    let times = 0;
    const pawl = {
      ...pawlOn({} as Ports),
      start: async () => ({}) as never,
      prune: async () => ({}) as never,
      callingAgent: async () => {
        times += 1;
        return agent;
      },
    };
    const verbs = admitting(VERBS, pawl, (path) => `id of ${path}`) as unknown as ReturnType<typeof verbsFor>;
    for (let call = 0; call < 3; call += 1) await verbs[name]!(request).catch(() => undefined);
    return times;
  };
  const call = { plan: "p", step: "s", worktree: "/w1", claim: 1 };
  expect(await asked(undefined, "start", call)).toBe(1);
  expect(await asked(AGENT, "start", call)).toBe(1);
  expect(await asked({ ...AGENT, by: "folder" }, "start", call)).toBe(3);
  expect(await asked(undefined, "prune", {})).toBe(3);
});

it("gives an agent of a run no desk but its own", async () => {
  const supervised = { session: "s-1", plan: "p", step: "s", claim: 1 };
  const open = (agent: CallingAgent | undefined, request: object) =>
    codeOf(verbsFor(agent)["openAgentSession"]!(request));
  expect(await open(AGENT, { supervised })).toBe("ok");
  expect(await open(AGENT, {})).toBe("E398");
  expect(await open(AGENT, { supervised: { ...supervised, session: "s-2" } })).toBe("E398");
  expect(await open({ ...AGENT, kind: "improve" }, {})).toBe("ok");
  expect(await open(undefined, {})).toBe("ok");
});

const WORKER_CALL = { plan: "p", step: "s", worktree: "/w1", claim: 1 };

it("passes on the session that a person names in an agent's environment, for the write to compare", async () => {
  const verbs = verbsFor({ ...AGENT, by: "name" });
  const named = { ...WORKER_CALL, session: "s-2" };
  expect((await verbs["start"]!(named)).request).toEqual(named);
});

it("compares worktrees by what they are, and only for a caller that is proven by its process", async () => {
  const elsewhere = { ...AGENT, worktree: { path: "/other/path/of/w1", id: "id of /w1" } };
  expect(await codeOf(verbsFor(elsewhere)["start"]!(WORKER_CALL))).toBe("ok");
  for (const by of ["environment", "folder", "name"] as const) {
    const verbs = verbsFor({ ...AGENT, by });
    expect(await codeOf(verbs["start"]!({ ...WORKER_CALL, worktree: "/w2" }))).toBe("ok");
  }
});

it.each(["claim", "complete", "commit", "release"])("leaves %s to a run that is at work", async (name) => {
  expect(await codeOf(verbsFor(AGENT)[name]!(WORKER_CALL))).toBe("E264");
  expect(await codeOf(verbsFor({ ...AGENT, by: "folder" })[name]!(WORKER_CALL))).toBe("E397");
  expect(await codeOf(verbsFor({ ...AGENT, isLive: false })[name]!(WORKER_CALL))).toBe("ok");
  expect(await codeOf(verbsFor({ ...AGENT, kind: "improve" })[name]!(WORKER_CALL))).toBe("ok");
});

it("looks in every store for an agent that does what is for people, and in the own one for a worker", async () => {
  const asked: unknown[] = [];
  const through = {
    ...pawlOn({} as Ports),
    start: async () => ({}) as never,
    hold: async () => ({}) as never,
  };
  const pawl = {
    ...through,
    async callingAgent(request?: object) {
      asked.push(request);
      return undefined;
    },
  };
  const verbs: Pawl = admitting(VERBS, pawl as unknown as Pawl, (path) => path);
  await verbs.hold({ plan: "p", step: "s" });
  await verbs.start(WORKER_CALL);
  expect(asked).toEqual([{ worktree: undefined, anyStore: true }, { worktree: "/w1" }]);
});

it("gives no other session to an agent that its environment proves", async () => {
  const open = (agent: CallingAgent) => codeOf(verbsFor(agent)["openAgentSession"]!({}));
  expect(await open({ ...AGENT, by: "environment" })).toBe("E398");
  for (const by of ["folder", "name"] as const) expect(await open({ ...AGENT, by })).toBe("ok");
  expect(await open({ ...AGENT, isLive: false })).toBe("ok");
});
