import type { Instant } from "../domain/index.ts";
import type { Ports, Sql } from "../platform/ports/index.ts";
import { runSettingsOf } from "../agents/index.ts";
import { openIfThere, storedJson } from "../journal/index.ts";
import { cloneOf, isInTrain, listTrains, type WaitingRow } from "../commits/index.ts";

/** A step that waits to land on its plan's branch. */
export interface TrainPlace {
  readonly planPath: string;
  readonly branch: string;
  readonly anchor: string;
  readonly title: string;
  /** From 1; null where steps land in the order in which they end. */
  readonly position: number | null;
  /** The step that lands right before it; null for the first. */
  readonly behind: string | null;
  /** `failed`: it fails on top of the steps ahead of it, and is built again if one of them leaves the train. */
  readonly state: "verifying" | "verified" | "failed";
  readonly since: Instant;
  readonly tree: string | null;
  readonly worktree: string | null;
  readonly sessionId: string | null;
  /** Whether its branch is in this clone. */
  readonly here: boolean;
}

/** The steps that wait to land, each branch in the order in which they land. */
export async function train(
  ports: Ports,
  request: { readonly plan?: string | undefined } = {},
): Promise<readonly TrainPlace[]> {
  const database = await openIfThere(ports);
  if (database === undefined) return [];
  const key = request.plan === undefined ? undefined : ports.plans.locate(request.plan).key;
  const places = await database.read((sql) => trainsIn(ports, sql));
  return key === undefined ? places : places.filter(({ planPath }) => planPath === key);
}

/** The same inside a transaction. */
export async function trainsIn(ports: Ports, sql: Sql): Promise<readonly TrainPlace[]> {
  const isOrdered = runSettingsOf(ports).landing.style === "linear";
  const own = cloneOf(ports);
  const places: TrainPlace[] = [];
  let last: { readonly row: WaitingRow; readonly position: number } | undefined;
  for (const row of await sql.all(listTrains, {})) {
    const here = row.clone === own;
    if (!(await isRiding(ports, sql, row, here))) continue;
    const ahead = last?.row.branch === row.branch && last.row.clone === row.clone ? last : undefined;
    last = { row, position: (ahead?.position ?? 0) + 1 };
    places.push({
      planPath: row.plan_path,
      branch: row.branch,
      anchor: row.anchor,
      title: row.title,
      position: isOrdered ? last.position : null,
      behind: isOrdered ? (ahead?.row.anchor ?? null) : null,
      state: stateOf(row),
      since: row.joined_at,
      tree: row.tree,
      worktree: row.worktree,
      sessionId: row.session_id,
      here,
    });
  }
  return places;
}

/** One whose process is gone joins again when its session continues. Of other clones only the store can say that. */
async function isRiding(ports: Ports, sql: Sql, row: WaitingRow, here: boolean): Promise<boolean> {
  return here
    ? isInTrain(ports, sql, row)
    : row.session_status === null || row.session_status === "in_progress";
}

function stateOf({ waits, tree }: WaitingRow): TrainPlace["state"] {
  const said = storedJson<{ readonly tree?: string; readonly outcome?: string }>(waits, {});
  if (tree === null || said.tree !== tree) return "verifying";
  return said.outcome === "passed" ? "verified" : "failed";
}

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];

/** For people: `verified, second in the train of pawl/plan, behind step-2`. */
export function trainWords({ state, position, behind, branch }: TrainPlace): string {
  const what = { verifying: "being verified", verified: "verified", failed: "fails with those ahead of it" }[
    state
  ];
  if (position === null) return `${what}, then it lands on ${branch}`;
  const place = ORDINALS[position - 1] ?? `number ${position}`;
  return `${what}, ${place} in the train of ${branch}${behind === null ? "" : `, behind ${behind}`}`;
}
