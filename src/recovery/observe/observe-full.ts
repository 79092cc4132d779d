import { openIfThere } from "../../journal/index.ts";
import { findStep } from "../../plans/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { fullStateOf } from "../../verification/index.ts";
import type { SeenOf } from "../rules/index.ts";

/** What the full check last said about a plan, where it failed. */
export async function observeFull(ports: Ports, plan: string): Promise<readonly SeenOf<"full">[]> {
  const database = await openIfThere(ports);
  if (database === undefined) return [];
  return database.read(async (sql) => {
    const { failure } = await fullStateOf(sql, plan);
    if (failure === undefined) return [];
    const { culprit, found, output, branch, tree, check } = failure;
    const { anchor } = culprit;
    const step = anchor === undefined ? undefined : await sql.get(findStep, { plan_path: plan, anchor });
    const isDone = step?.status === "completed";
    return [
      {
        kind: "full",
        now: {
          check: "fails",
          culprit: culprit.kind === "step" ? (isDone ? "completed-step" : "open-step") : culprit.kind,
          decision: failure.isLeft ? "left" : "open",
        },
        facts: {
          plan,
          anchor,
          found,
          check,
          output,
          branch,
          tree,
          commit: culprit.commit,
          parent: culprit.parent,
        },
      },
    ];
  });
}
