import {
  agentOf,
  EMPTY_CONTEXT,
  type PromptContext,
  PROMPTS,
  type RunSettings,
  runSettingsOf,
} from "../../agents/index.ts";
import { Failure, type NewSubstep, type PlanStep, readSubsteps } from "../../domain/index.ts";
import { textAfter } from "../../plans/formats/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import type { SeenOf } from "../rules/index.ts";
import { findPlan, planPathFromHere, readPlan, readPlanFiles, saveAgain } from "../../plans/index.ts";
import type { SessionRow } from "../../platform/index.ts";
import { planWithAgent, readConfig, RUN_LEASE_SECONDS, type RunConfig } from "../../runs/index.ts";
import { type ActContext, lastRunOf } from "./act-context.ts";
import { freeAbandonedStep } from "./free-abandoned-step.ts";
import { stepsByAnchor } from "../observe/observe-plans.ts";
import { isThere } from "../observe/observe-sessions.ts";

const TIMEOUT_MS = 30 * 60_000;

/**
 * Has a planner make substeps of a step, and puts them into the plan. The step's own words stay.
 *
 * In an order in which every gap has an owner: until the file is replaced nothing has happened; a file that was
 * replaced and not read again is a plan that changed; one that was read again still has a blocked step.
 */
export async function breakDown(context: ActContext, seen: SeenOf<"step">): Promise<string> {
  const { ports, because } = context;
  const { plan, anchor } = seen.facts;
  const step = stepsByAnchor(await readPlan(ports, planPathFromHere(ports, plan))).get(anchor);
  if (step === undefined)
    throw new Failure("step/unknown", `${plan} has no step ${anchor} any more.`, { plan_path: plan, anchor });
  if (step.substeps.length > 0) {
    await settle(ports, seen, because);
    return `has ${step.substeps.length} substeps already; pending`;
  }
  const substeps = await askPlanner(context, plan, step);
  await writeSubsteps(ports, plan, step, substeps);
  await settle(ports, seen, because);
  await markBrokenDown(ports, plan, step);
  return `broken down into ${substeps.map(({ title }) => `"${title}"`).join(", ")}`;
}

async function settle(ports: Ports, seen: SeenOf<"step">, because: string): Promise<void> {
  await saveAgain(ports, { plan: planPathFromHere(ports, seen.facts.plan) });
  await freeAbandonedStep(ports, seen, { event: "retried", because });
}

async function askPlanner(
  { ports, agent, onEvent, interruption }: ActContext,
  plan: string,
  step: PlanStep,
): Promise<readonly NewSubstep[]> {
  const last = await lastRunOf(ports, plan, step.anchor);
  const settings = runSettingsOf(ports);
  const path = last && isThere(ports, last.worktree) ? last.worktree : ports.repository.topLevel;
  if (path === undefined)
    throw new Failure("worktree/not-found", "There is no checkout for a planner to read.", {});
  return planWithAgent(ports, {
    planning: {
      name: "break-down",
      timeoutMs: TIMEOUT_MS,
      prompt: (diagnostics) => PROMPTS["break-down"].write(promptOf(plan, step, diagnostics)),
      read(done) {
        if (done === undefined) return { kind: "bad", diagnostics: [] };
        const { outcome } = done.end.verdict;
        if (outcome !== "finished")
          return { kind: "bad", diagnostics: [`the planner ended with ${outcome}`] };
        const { substeps, problems } = readSubsteps(done.end.report.answer);
        return problems.length === 0
          ? { kind: "good", value: substeps }
          : { kind: "bad", diagnostics: problems };
      },
    },
    worktree: ports.repository.worktree(path),
    config: configFor(settings, plan, last, agent),
    operand: planPathFromHere(ports, plan),
    onEvent,
    interruption,
  });
}

/** The agent that was named plans the step, else the one that did it, else that of the settings. */
function configFor(
  settings: RunSettings,
  plan: string,
  last: SessionRow | undefined,
  named: string | undefined,
): RunConfig {
  const before = last?.configuration ? readConfig(last.configuration) : undefined;
  if (named !== undefined) agentOf(settings, named);
  const agent = named ?? before?.agent ?? settings.agent;
  if (agent === undefined)
    throw new Failure(
      "run/no-agent",
      "No agent is configured to plan it. Set `agent` in pawl.toml or pass --agent.",
      {
        known: Object.keys(settings.agents),
      },
    );
  return {
    plan,
    workflow: before?.workflow ?? settings.workflow,
    agent,
    argv: named === undefined ? before?.argv : undefined,
    workers: 1,
    wait: false,
    leaseSeconds: RUN_LEASE_SECONDS,
    graceMs: before?.graceMs,
  };
}

const promptOf = (plan: string, step: PlanStep, diagnostics: readonly string[]): PromptContext => ({
  ...EMPTY_CONTEXT,
  plan: { path: plan },
  step: {
    anchor: step.anchor,
    title: step.title,
    body: step.body,
    references: step.references,
    items: [],
    substeps: [],
  },
  diagnostics,
});

/** Replaces the file only if, read again, it says what it said before and has these substeps. */
async function writeSubsteps(
  ports: Ports,
  key: string,
  step: PlanStep,
  substeps: readonly NewSubstep[],
): Promise<void> {
  const files = await filesOf(ports, key);
  const cannot = (why: string): Failure =>
    new Failure("step/cannot-break-down", `${step.anchor} cannot be broken down: ${why}.`, {
      plan_path: key,
      anchor: step.anchor,
      substeps: substeps.map(({ title }) => title),
    });
  if (!files.isReadable) throw cannot("its plan cannot be read");
  const { format, placeOf } = files;
  const edit = format.breakDown?.(files.files.text, step, substeps);
  if (!edit) throw cannot(`there is no place for substeps in ${key}`);
  const before = format.read(files.files.text);
  const after = format.read(textAfter(format, files.files.text, [edit]));
  const made = after.steps.find(({ anchor }) => anchor === step.anchor);
  const isWhole =
    after.steps.length === before.steps.length &&
    made?.substeps.length === substeps.length &&
    made.title === step.title &&
    !after.diagnostics.some(({ severity }) => severity === "error");
  if (!isWhole) throw cannot("the plan would say something else");
  const { path } = placeOf(edit.name);
  if (!ports.files.replaceIf(path, Buffer.from(edit.before ?? ""), Buffer.from(edit.after)))
    throw cannot("another program wrote to it at the same moment");
}

/** The last touch: without it the file says pending, which is true as well. */
async function markBrokenDown(ports: Ports, key: string, step: PlanStep): Promise<void> {
  const files = await filesOf(ports, key);
  const edit = files.isReadable ? files.format.markBrokenDown?.(files.files.text, step) : undefined;
  if (!files.isReadable || !edit) return;
  const { path } = files.placeOf(edit.name);
  ports.files.replaceIf(path, Buffer.from(edit.before ?? ""), Buffer.from(edit.after));
}

async function filesOf(ports: Ports, key: string) {
  const database = await ports.database();
  const plan = await database.read((sql) => sql.get(findPlan, { plan_path: key }));
  return readPlanFiles(ports, key, plan?.format ?? "");
}
