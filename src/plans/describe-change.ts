import type { PlanLocation, Ports, Sql } from "../platform/ports/index.ts";
import { flatten, type Plan } from "../domain/index.ts";
import { findPlanSnapshot } from "./sql/find-plan-snapshot.ts";
import type { PlanRow } from "../platform/index.ts";
import { formatCarriesStatus, loadFormats, loadReadPlan, loadStepText } from "./formats/index.ts";

export interface PlanChange {
  readonly summary: string;
  readonly lines: readonly string[];
  /** Steps from before that it removed, or that say something else by now. */
  readonly changed: readonly string[];
}

/** What an edit did to a plan, step by step. Loads the parser, so it is only called when there is something to tell. */
export async function describeChange(
  ports: Ports,
  sql: Sql,
  plan: PlanRow,
  location: PlanLocation,
): Promise<PlanChange> {
  const saved = await sql.get(findPlanSnapshot, { plan_path: plan.plan_path, plan_hash: plan.plan_hash });
  if (!saved) return { summary: "its content differs", lines: [], changed: [] };
  const { parseSource } = await loadReadPlan();
  const { formatNamed } = await loadFormats();
  const { identityOf } = await loadStepText();
  // Where the file carries status, ticks are Pawl's own or are taken over: no edit of a person.
  const areEdits = !formatCarriesStatus(plan.format);
  const stepsOf = (parsed: Plan): Steps =>
    new Map(
      flatten(parsed).map(({ step }) => [
        step.anchor,
        { text: identityOf(step), ticks: areEdits ? step.items.map(({ box }) => box).join() : "" },
      ]),
    );
  const read = (parse: () => Plan | undefined) => {
    try {
      const parsed = parse();
      return parsed && stepsOf(parsed);
    } catch {
      return undefined;
    }
  };
  const before = read(() => formatNamed(saved.format)?.read(saved.content));
  const after = read(() => parseSource(ports.plans.read(location), plan.plan_path, plan.format));
  if (!before || !after) return { summary: "it can no longer be read as a plan", lines: [], changed: [] };
  return compare(before, after);
}

type Steps = ReadonlyMap<string, { readonly text: string; readonly ticks: string }>;

function compare(before: Steps, after: Steps): PlanChange {
  const added = [...after.keys()].filter((anchor) => !before.has(anchor));
  const removed = [...before.keys()].filter((anchor) => !after.has(anchor));
  const differing = (part: "text" | "ticks") =>
    [...after]
      .filter(([anchor, step]) => before.has(anchor) && before.get(anchor)![part] !== step[part])
      .map(([anchor]) => anchor);
  const edited = differing("text");
  const ticked = differing("ticks").filter((anchor) => !edited.includes(anchor));
  const parts = [
    ["added", added],
    ["removed", removed],
    ["edited", edited],
    ["other ticks in", ticked],
  ] as const;
  const lines = parts.flatMap(([what, anchors]) => anchors.map((anchor) => `${what} ${anchor}`));
  const summary = parts
    .filter(([, anchors]) => anchors.length > 0)
    .map(
      ([what, anchors]) =>
        `${what} ${anchors.slice(0, 5).join(", ")}${anchors.length > 5 ? ` and ${anchors.length - 5} more` : ""}`,
    )
    .join("; ");
  return {
    summary: summary || "only text outside the steps differs",
    lines,
    changed: [...removed, ...edited],
  };
}
