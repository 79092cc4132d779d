import { bareAnchor, closest, Failure, type Plan, shellWord } from "../domain/index.ts";
import type { Database, PlanContent, Ports, Sql } from "../platform/ports/index.ts";
import { findPlanSnapshot } from "./sql/find-plan-snapshot.ts";
import { findPlan } from "./sql/find-plan.ts";
import { findStep } from "./sql/find-step.ts";
import { lockStep } from "./sql/lock-step.ts";
import { listSteps } from "./sql/list-steps.ts";
import type { PlanRow, StepRow } from "../platform/index.ts";
import { rememberFormat } from "./carries-status.ts";
import { formatCarriesStatus, loadReadPlan } from "./formats/index.ts";

/** A plan that must have state. */
export const savedPlan = async (sql: Sql, key: string): Promise<PlanRow> =>
  rememberFormat(sql, (await sql.get(findPlan, { plan_path: key })) ?? notSaved(key));

export function notSaved(key: string): never {
  throw new Failure(
    "plan/not-initialised",
    `${key} has no state yet.`,
    { plan_path: key },
    {
      hint: `Run \`pawl state init ${shellWord(key)}\` first.`,
    },
  );
}

/** A step that must exist in the plan. */
export async function savedStep(sql: Sql, key: string, step: string): Promise<StepRow> {
  const anchor = bareAnchor(step);
  const row = await sql.get(findStep, { plan_path: key, anchor });
  if (row) return row;
  await savedPlan(sql, key);
  const anchors = (await sql.all(listSteps, { plan_path: key })).map((known) => known.anchor);
  const near = nearStep(anchor, anchors);
  const question = near === undefined ? "" : ` Did you mean ${near}?`;
  throw new Failure("step/unknown", `${key} has no step ${anchor}.${question}`, {
    plan_path: key,
    anchor,
    steps: anchors.slice(0, 50),
  });
}

/** Only one with the same numbers: a mistyped number means another step, and Pawl cannot know which. */
function nearStep(anchor: string, anchors: readonly string[]): string | undefined {
  const numbers = numbersOf(anchor);
  return closest(
    anchor,
    anchors.filter((known) => numbersOf(known) === numbers),
  );
}

const numbersOf = (anchor: string): string => anchor.replaceAll(/\D+/g, " ").trim();

/** A step that is about to be written: it, and the step that carries its claim, stay as they are until the end. */
export async function lockedStep(sql: Sql, key: string, step: string): Promise<StepRow> {
  const locked = await sql.get(lockStep, { plan_path: key, anchor: bareAnchor(step) });
  if (!locked) return savedStep(sql, key, step);
  if (locked.parent_anchor !== null)
    await sql.get(lockStep, { plan_path: key, anchor: locked.parent_anchor });
  return locked;
}

/** For a caller that read a step a moment ago and finds it changed when it writes. */
export const changedHands = ({ plan_path, anchor }: Pick<StepRow, "plan_path" | "anchor">): Failure =>
  new Failure("store/busy", `${anchor} changed hands at this moment.`, { plan_path, anchor });

/** The step that carries the claim: a substep belongs to the holder of its step. */
export const ownerAnchor = (step: StepRow): string => step.parent_anchor ?? step.anchor;

/** The content that was found to be as saved last: a worker asks about the same plan again and again. */
let known: { readonly hash: string; readonly bytes: Uint8Array; readonly plan: Plan | undefined } | undefined;

/**
 * Byte by byte where the saved content is at hand, because loading what makes hashes costs a fresh process 4 ms. A
 * server is not asked for it: the way there and back costs more.
 */
export async function isAsSaved(ports: Ports, sql: Sql, plan: PlanRow, file: PlanContent): Promise<boolean> {
  const { plan_path, plan_hash } = plan;
  if (known?.hash === plan_hash && isSameBytes(known.bytes, file.bytes)) return true;
  const saved = ports.storeIsShared ? undefined : await sql.get(findPlanSnapshot, { plan_path, plan_hash });
  const isSavedText = saved !== undefined && Buffer.from(saved.content).equals(file.bytes);
  const meant = isSavedText ? undefined : await savedMeaning(ports, plan, file);
  const isSame = isSavedText || meant !== undefined;
  if (isSame) known = { hash: plan_hash, bytes: file.bytes, plan: meant === "same" ? undefined : meant };
  return isSame;
}

/** What a file that is as saved says beyond the saved text: only its status can differ. */
export const statusBeside = ({ plan_hash }: PlanRow, file: PlanContent): Plan | undefined =>
  known?.hash === plan_hash && isSameBytes(known.bytes, file.bytes) ? known.plan : undefined;

/** A file that lay still is not even read again. */
const isSameBytes = (a: Uint8Array, b: Uint8Array): boolean => a === b || Buffer.compare(a, b) === 0;

/** The plan, where the file says the same with another status; undefined where it does not. */
async function savedMeaning(
  ports: Ports,
  plan: PlanRow,
  file: PlanContent,
): Promise<Plan | "same" | undefined> {
  const { plan_path, plan_hash, format } = plan;
  if (!formatCarriesStatus(format)) return plan_hash === file.hash ? "same" : undefined;
  const { isKnownBy, parseSource } = await loadReadPlan();
  try {
    const read = parseSource(file, plan_path, format);
    return isKnownBy(plan_hash, read, file, ports.sha256) ? read : undefined;
  } catch (error) {
    // What is no text any more says nothing.
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** Reads need no plan to exist, but they need a database; without one nothing was ever saved. */
export async function databaseFor(ports: Ports, key: string): Promise<Database> {
  try {
    return await ports.database();
  } catch (error) {
    if (error instanceof Failure && error.problem === "plan/not-initialised") {
      notSaved(key);
    }
    throw error;
  }
}
