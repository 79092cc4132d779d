import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import type { Pawl } from "../../src/api.ts";
import { type ConformanceWorld, raw } from "../conformance/store.ts";
import { checkPlan } from "./check-plan.ts";
import { Model, type ModelAnswer, type ModelItemStatus, type ModelStep } from "./model.ts";
import { planText, type StepSpec } from "./plans.ts";

const LEASE_MS = 100_000;

let plansMade = 0;

/** How often each verb was done or refused: `start ok`, `start E076`. */
export type Tally = Map<string, number>;

/** Random calls on random small plans: every verb must do what the model does, and refuse what the model refuses. */
export async function checkModel(world: ConformanceWorld, runs: number, seed?: number): Promise<Tally> {
  const tally: Tally = new Map();
  await fc.assert(
    fc.asyncProperty(
      planArbitrary,
      fc.array(callArbitrary, { minLength: 1, maxLength: 60, size: "max" }),
      async (steps, calls) => {
        plansMade += 1;
        await play(world, `plan-${plansMade}.md`, steps, calls, tally);
      },
    ),
    { numRuns: runs, ...(seed === undefined ? {} : { seed }) },
  );
  return tally;
}

async function play(
  world: ConformanceWorld,
  plan: string,
  steps: readonly StepSpec[],
  calls: readonly Call[],
  tally: Tally,
): Promise<void> {
  world.plans.set(plan, planText(steps));
  await world.pawl.init({ plan });
  const model = new Model(steps.map(modelStep));
  model.uptime = world.clock.uptime;
  const numbers = new Map<string, number>();
  for (const [index, call] of calls.entries()) {
    const anchors = [...model.steps.keys()];
    const aimed = aim(call, anchors, numbers);
    if (aimed.verb === "wait") {
      world.clock.uptime += aimed.ms;
      model.uptime = world.clock.uptime;
      continue;
    }
    const wanted = onModel(model, aimed);
    const found = await onStore(world.pawl, plan, aimed);
    const what = `call ${index + 1} ${JSON.stringify(aimed)}`;
    ok(
      agrees(wanted, found),
      `${what}: the model says ${JSON.stringify(wanted)}, the store ${JSON.stringify(found)}`,
    );
    const key = `${aimed.verb} ${found.ok ? "ok" : found.code}`;
    tally.set(key, (tally.get(key) ?? 0) + 1);
    if (found.ok && found.claimed !== undefined) {
      // Taken out first, so that the one given last stands last.
      numbers.delete(`${aimed.worktree} ${found.claimed}`);
      numbers.set(`${aimed.worktree} ${found.claimed}`, found.number!);
    }
    deepEqual(await stateOf(world, plan), modelState(model), what);
  }
  deepEqual(await checkPlan(world.database, plan), []);
}

function modelStep(spec: StepSpec): ModelStep {
  const [top, sub] = spec.number.split(".");
  const count = (spec.tasks?.length ?? 0) + (spec.tests?.length ?? 0) + (spec.checkpoints?.length ?? 0);
  return {
    anchor: `step-${spec.number.replace(".", "-")}`,
    parent: sub === undefined ? undefined : `step-${top}`,
    dependsOn: [...new Set(spec.dependsOn)],
    items: Array.from({ length: count }, () => "open" as const),
    status: "pending",
    number: 0,
    owner: undefined,
    lastOwner: undefined,
    leaseEnds: 0,
  };
}

// ── what is called ──────────────────────────────────────────────────────────────────────────────────────────────

/** Many more that get work done than that take it apart. */
const WEIGHTS = {
  claim: 7,
  start: 6,
  update: 6,
  complete: 9,
  heartbeat: 1,
  artifact: 1,
  release: 1,
  forceRelease: 1,
  reset: 1,
  hold: 1,
  retry: 2,
  reopen: 2,
  wait: 1,
} as const;

type Verb = keyof typeof WEIGHTS;

const VERBS = Object.entries(WEIGHTS).flatMap(([verb, weight]) =>
  Array.from({ length: weight }, () => verb as Verb),
);

interface Call {
  readonly verb: Verb;
  readonly worktree: number;
  readonly step: number;
  /** Most calls go to the step the worktree was given last, or nothing would ever get done. */
  readonly aim: "last" | "given" | "any";
  readonly number: "none" | "mine" | "old" | "future";
  readonly force: boolean;
  readonly named: boolean;
  readonly status: ModelItemStatus;
  readonly item: number | "all" | "none";
  readonly ms: number;
}

interface Aimed extends Omit<Call, "worktree" | "step" | "number"> {
  readonly worktree: string;
  readonly step: string;
  readonly claim: number | undefined;
}

const callArbitrary: fc.Arbitrary<Call> = fc.record({
  verb: fc.constantFrom(...VERBS),
  worktree: fc.nat(2),
  step: fc.nat(20),
  aim: fc.constantFrom("last", "last", "last", "last", "given", "any"),
  number: fc.constantFrom("none", "none", "mine", "mine", "mine", "mine", "old", "future"),
  force: fc.boolean(),
  named: fc.boolean(),
  status: fc.constantFrom("open", "in_progress", "completed", "completed", "completed", "deferred"),
  item: fc.oneof(
    fc.nat(3),
    fc.constant("all" as const),
    fc.constant("all" as const),
    fc.constant("all" as const),
  ),
  ms: fc.constantFrom(1_000, 60_000, LEASE_MS, 2 * LEASE_MS),
});

function aim(call: Call, anchors: readonly string[], numbers: ReadonlyMap<string, number>): Aimed {
  const worktree = `/w${call.worktree}`;
  const given = [...numbers.keys()]
    .filter((key) => key.startsWith(`${worktree} `))
    .map((key) => key.slice(worktree.length + 1));
  const family = (anchor: string) => anchors.filter((one) => one === anchor || one.startsWith(`${anchor}-`));
  const mine = { last: given.slice(-1), given, any: [] }[call.aim].flatMap(family);
  const step = mine.length > 0 ? mine[call.step % mine.length]! : anchors[call.step % anchors.length]!;
  const top = /^step-\d+/.exec(step)![0];
  const number = numbers.get(`${worktree} ${top}`);
  const shift = { none: 0, mine: 0, old: -1, future: 5 }[call.number];
  return {
    ...call,
    worktree,
    step,
    claim: call.number === "none" || number === undefined ? undefined : Math.max(0, number + shift),
  };
}

function onModel(model: Model, call: Aimed): ModelAnswer {
  const caller = { worktree: call.worktree, claim: call.claim };
  switch (call.verb) {
    case "claim":
      return model.claim(call.worktree, LEASE_MS, call.named ? call.step : undefined, call.force);
    case "start":
      return model.start(call.step, caller);
    case "update":
      return model.update(call.step, caller, call.status, call.item);
    case "artifact":
      return model.update(call.step, caller, call.status, "none");
    case "heartbeat":
      return model.heartbeat(call.step, caller, LEASE_MS);
    case "complete":
      return model.complete(call.step, caller, call.force);
    case "release":
      return model.release(call.step, caller);
    case "forceRelease":
      return model.release(call.step, undefined);
    case "reset":
    case "hold":
    case "retry":
    case "reopen":
      return model[call.verb](call.step);
    case "wait":
      return { ok: true };
    default:
      throw new Error(`no such verb: ${String(call.verb satisfies never)}`);
  }
}

type Found =
  | { readonly ok: true; readonly claimed?: string; readonly number?: number }
  | { readonly ok: false; readonly code: string };

async function onStore(pawl: Pawl, plan: string, call: Aimed): Promise<Found> {
  try {
    const answer = await callStore(pawl, plan, call);
    const { anchor, claim, claimed } = answer as { anchor?: string; claim?: number; claimed?: boolean };
    return claimed === true && anchor !== undefined && claim !== undefined
      ? { ok: true, claimed: anchor, number: claim }
      : { ok: true };
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === undefined || code === "E099") throw error;
    return { ok: false, code };
  }
}

function callStore(pawl: Pawl, plan: string, call: Aimed): Promise<unknown> {
  const { worktree, claim, step, force } = call;
  const who = { plan, step, worktree, claim };
  switch (call.verb) {
    case "claim":
      return pawl.claim({
        plan,
        worktree,
        force,
        leaseSeconds: LEASE_MS / 1000,
        step: call.named ? step : undefined,
      });
    case "start":
      return pawl.start(who);
    case "update":
      return pawl.update({
        ...who,
        reason: "for now",
        changes: [
          call.item === "all"
            ? { all: true, status: call.status }
            : { kind: "task", ordinal: Number(call.item) + 1, status: call.status },
        ],
      });
    case "artifact":
      return pawl.artifact({ ...who, kind: "reviewer_verdict", summary: "seen" });
    case "heartbeat":
      return pawl.heartbeat({ ...who, leaseSeconds: LEASE_MS / 1000 });
    case "complete":
      return pawl.complete({ ...who, forceReason: force ? "because" : undefined });
    case "release":
      return pawl.release(who);
    case "forceRelease":
      return pawl.release({ plan, step });
    case "reset":
    case "hold":
    case "retry":
    case "reopen":
      return pawl[call.verb]({ plan, step, reason: "a person says so" });
    case "wait":
      return Promise.resolve({});
    default:
      throw new Error(`no such verb: ${String(call.verb satisfies never)}`);
  }
}

function agrees(wanted: ModelAnswer, found: Found): boolean {
  if (wanted.ok !== found.ok) return false;
  if (!wanted.ok) return wanted.codes.includes((found as { code: string }).code);
  const { claimed, number } = found as { claimed?: string; number?: number };
  return wanted.claimed === claimed && wanted.number === number;
}

// ── what is compared ────────────────────────────────────────────────────────────────────────────────────────────

interface State {
  readonly done: boolean;
  readonly steps: readonly string[];
}

function modelState(model: Model): State {
  return {
    done: model.done,
    steps: [...model.steps.values()].map((step) =>
      line(
        step.anchor,
        step.status,
        step.number,
        step.status === "completed" ? undefined : step.owner,
        model.unmet(step.anchor),
        step.items,
      ),
    ),
  };
}

async function stateOf({ database }: ConformanceWorld, plan: string): Promise<State> {
  return database.read(async (sql) => {
    const found = await sql.get(raw<{ status: string }>("select status from plans where plan_path = :plan"), {
      plan,
    });
    const steps = await sql.all(
      raw<{
        anchor: string;
        status: string;
        claim_seq: number;
        claimed_by: string | null;
        unmet_deps: number;
      }>("select * from steps where plan_path = :plan order by step_index"),
      { plan },
    );
    const items = await sql.all(
      raw<{ step_anchor: string; status: string }>(
        "select step_anchor, status from checklist_items where plan_path = :plan order by id",
      ),
      { plan },
    );
    return {
      done: found?.status === "done",
      steps: steps.map((step) =>
        line(
          step.anchor,
          step.status,
          step.claim_seq,
          step.status === "completed" ? undefined : (step.claimed_by ?? undefined),
          step.unmet_deps,
          items.filter((item) => item.step_anchor === step.anchor).map((item) => item.status),
        ),
      ),
    };
  });
}

const line = (
  anchor: string,
  status: string,
  number: number,
  owner: string | undefined,
  unmet: number,
  items: readonly string[],
): string => `${anchor} ${status} #${number} ${owner ?? "none"} waits for ${unmet} [${items.join(" ")}]`;

// ── what the plans are ──────────────────────────────────────────────────────────────────────────────────────────

/** One to five steps with up to two substeps; each waits only for what stands before it. Items are all tasks. */
const planArbitrary: fc.Arbitrary<readonly StepSpec[]> = fc
  .array(
    fc.record({
      substeps: fc.nat(2),
      items: fc.array(fc.nat(3), { minLength: 3, maxLength: 3 }),
      edges: fc.array(fc.tuple(fc.nat(2), fc.nat(30)), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((shapes) => {
    const specs: { number: string; tasks: string[]; dependsOn: string[] }[] = [];
    for (const [index, shape] of shapes.entries()) {
      const before = specs.map((spec) => `step-${spec.number.replace(".", "-")}`);
      const own = Array.from({ length: shape.substeps + 1 }, (_, part) => ({
        number: part === 0 ? String(index + 1) : `${index + 1}.${part}`,
        tasks: Array.from({ length: shape.items[part] ?? 0 }, (_, item) => `task ${item + 1}`),
        dependsOn: [] as string[],
      }));
      for (const [part, target] of shape.edges) {
        const spec = own[part % own.length]!;
        // A substep may also wait for the substep before it.
        const siblings = own.slice(1, own.indexOf(spec)).map((one) => `step-${one.number.replace(".", "-")}`);
        const possible = [...before, ...siblings];
        if (possible.length > 0) spec.dependsOn.push(possible[target % possible.length]!);
      }
      specs.push(...own.map((spec) => ({ ...spec, dependsOn: [...new Set(spec.dependsOn)] })));
    }
    return specs;
  });
