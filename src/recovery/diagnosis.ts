import { runSettingsOf } from "../agents/index.ts";
import { openIfThere } from "../journal/index.ts";
import { findPlan } from "../plans/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { diagnose, type Finding } from "./rules/index.ts";
import { observe, type Scope } from "./observe/observe.ts";
import { type FindingView, findingView } from "./subject.ts";

export interface DiagnosisRequest {
  /** Only this plan; everything when left out. */
  readonly plan?: string | undefined;
}

/**
 * The one diagnosis: what the rules say about everything that was observed. `run`, `recover`, `explain`, `status`, the
 * page, MCP and hooks answer from it, so they cannot differ. Changes nothing.
 *
 * What outranks what is decided by the rules: a commit outranks an attempt, an attempt a claim, a claim a file.
 */
export async function findingsIn(ports: Ports, scope: Scope): Promise<readonly Finding[]> {
  // Settings that no run could work by are refused by all of them alike.
  runSettingsOf(ports);
  return diagnose(await observe(ports, scope));
}

/** The same for those who only report it, with git's own files observed, too. */
export async function diagnosis(ports: Ports, { plan }: DiagnosisRequest): Promise<readonly FindingView[]> {
  const key = plan === undefined ? undefined : ports.plans.locate(plan).key;
  const unsaved = await unsavedPlan(ports, plan);
  return (await findingsIn(ports, { plan: key, damage: { extent: "whole" }, unsaved })).map(findingView);
}

/** The folder that tools around Claude Code keep their tasks in. */
const TASKS = ".claude/tasks";

/** A plan that was named, or the folder of tasks, as long as the store knows nothing of it. */
export async function unsavedPlan(ports: Ports, named: string | undefined): Promise<string | undefined> {
  const operand = named ?? ports.plans.search().find((found) => found === TASKS);
  if (operand === undefined) return undefined;
  const { key, path } = ports.plans.locate(operand);
  const database = await openIfThere(ports);
  const row = await database?.read((sql) => sql.get(findPlan, { plan_path: key }));
  return row === undefined && path !== undefined ? operand : undefined;
}

/** What waits for a person, of all that was found. */
export const decisionsIn = (findings: readonly FindingView[]): readonly FindingView[] =>
  findings.filter(({ weight }) => weight === "decide");
