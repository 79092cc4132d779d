import { IN_TUGSTATE } from "../../domain/index.ts";
import type { Ports, Sql, TugstatePlan, TugstateStep } from "../../platform/ports/index.ts";
import { journal } from "../../journal/index.ts";
import {
  adoptItem,
  completeByProof,
  listItems,
  listSteps,
  planPathFromHere,
  save,
  updatePlanStatus,
  writeBackOrNotice,
} from "../../plans/index.ts";
import type { ItemRow, StepRow } from "../../platform/index.ts";
import { findImportable, type FoundProgress, refusalOf, TUGSTATE, tugstatePlans } from "./find-importable.ts";

export interface ImportAnswer {
  readonly plans: readonly ImportedPlan[];
}

export interface ImportedPlan {
  readonly tool: FoundProgress["tool"];
  readonly planPath: string;
  /** Steps and substeps that are completed by the import. */
  readonly completed: readonly string[];
  /** Items that are ticked by it, beside those of completed steps. */
  readonly items: number;
  /** Steps that the tool calls completed and Pawl does not. */
  readonly skipped: readonly { readonly anchor: string; readonly because: string }[];
  /** Why nothing could be imported. */
  readonly problem: string | null;
}

/**
 * Takes over the progress that other tools recorded. The sources are only read, and a second call changes nothing.
 *
 * Plans whose files carry their status are imported by reading them. What Tugstate recorded is applied in one
 * transaction per plan, and only to steps that say what they said there: other words may be other work.
 */
export async function importProgress(
  ports: Ports,
  request: { readonly plan?: string | undefined },
): Promise<ImportAnswer> {
  const { progress } = await findImportable(ports, request);
  const recorded = new Map((await readableTugstate(ports)).map((plan) => [plan.planPath, plan]));
  const plans: ImportedPlan[] = [];
  for (const { tool, planPath, problem } of progress) {
    if (planPath === null) continue;
    const nothing = { tool, planPath, completed: [], items: 0, skipped: [], problem };
    if (problem !== null) {
      plans.push(nothing);
      continue;
    }
    try {
      const before = await completedIn(ports, planPath);
      await save(ports, { plan: planPathFromHere(ports, planPath) });
      const plan = tool === "Tugstate" ? recorded.get(planPath) : undefined;
      const applied = plan ? await apply(ports, plan) : { items: 0, skipped: [] };
      const after = await completedIn(ports, planPath);
      plans.push({ ...nothing, ...applied, completed: after.filter((anchor) => !before.includes(anchor)) });
    } catch (error) {
      plans.push({ ...nothing, problem: refusalOf(error) });
    }
  }
  return { plans };
}

async function readableTugstate(ports: Ports): Promise<readonly TugstatePlan[]> {
  try {
    return (await tugstatePlans(ports)) ?? [];
  } catch (error) {
    refusalOf(error);
    return [];
  }
}

async function completedIn(ports: Ports, plan_path: string): Promise<readonly string[]> {
  const database = await ports.database({ create: true });
  const steps = await database.read((sql) => sql.all(listSteps, { plan_path }));
  return steps.filter(({ status }) => status === "completed").map(({ anchor }) => anchor);
}

async function apply(
  ports: Ports,
  { planPath, steps }: TugstatePlan,
): Promise<Pick<ImportedPlan, "items" | "skipped">> {
  const database = await ports.database();
  const answer = await database.write(async (sql) => {
    const rows = new Map((await sql.all(listSteps, { plan_path: planPath })).map((row) => [row.anchor, row]));
    const known = await sql.all(listItems, { plan_path: planPath });
    const skipped: { anchor: string; because: string }[] = [];
    const completed: string[] = [];
    let items = 0;
    // Substeps first: a step is only done when they are.
    for (const step of steps.toSorted((a, b) => Number(b.isSubstep) - Number(a.isSubstep))) {
      const row = rows.get(step.anchor);
      const because = whyNot(row, step);
      if (because !== undefined) {
        if (step.isCompleted && because !== DONE) skipped.push({ anchor: step.anchor, because });
        continue;
      }
      if (step.isCompleted) {
        if (await completeByProof(sql, row!, { commit: null, reason: reasonFor(step) }))
          completed.push(step.anchor);
      } else items += await tick(sql, row!, step, known);
    }
    await updatePlanStatus(sql, planPath);
    if (completed.length > 0 || items > 0)
      await journal(sql, {
        event: "imported",
        plan: planPath,
        detail: { from: TUGSTATE, completed, items, skipped, host: ports.machine.hostId },
      });
    return { items, skipped };
  });
  await writeBackOrNotice(ports, planPath);
  return answer;
}

const DONE = "it is completed already";

/** Undefined where what Tugstate says about the step may be taken over. */
function whyNot(row: StepRow | undefined, { title }: TugstateStep): string | undefined {
  if (row === undefined) return "the plan no longer has this step";
  if (row.status === "completed") return DONE;
  if (row.title !== title) return `its title is "${row.title}" by now, and was "${title}"`;
  return row.status === "pending" ? undefined : `it is ${row.status.replaceAll("_", " ")} here`;
}

const reasonFor = ({ commit, reason }: TugstateStep): string =>
  `${IN_TUGSTATE}${commit === null ? "" : ` with ${commit.slice(0, 12)}`}${reason === null ? "" : `: ${reason}`}`;

/** Items that say what they said there; how many were open. */
async function tick(
  sql: Sql,
  { plan_path, anchor }: StepRow,
  { items }: TugstateStep,
  known: readonly ItemRow[],
): Promise<number> {
  let ticked = 0;
  for (const { kind, ordinal, text } of items) {
    const isThere = known.some(
      (item) =>
        item.step_anchor === anchor && item.kind === kind && item.ordinal === ordinal && item.text === text,
    );
    if (!isThere) continue;
    const status = "completed";
    ticked += await sql.run(adoptItem, {
      plan_path,
      anchor,
      kind,
      ordinal,
      status,
      reason: null,
      now: sql.now,
    });
  }
  return ticked;
}
