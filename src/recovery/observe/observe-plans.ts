import { Failure, flatten, isHeld, type PlanStep } from "../../domain/index.ts";
import type { PlanLocation, Ports } from "../../platform/ports/index.ts";
import type { SeenOf } from "../rules/index.ts";
import type { PlanRow } from "../../platform/index.ts";
import {
  describeChange,
  findPlanSnapshot,
  listSteps,
  loadCommittedPlan,
  planPathFromHere,
  readPlan,
  readPlanContent,
  type ReadPlan,
  tickedIn,
} from "../../plans/index.ts";

export interface ObservedPlan {
  readonly seen: readonly (SeenOf<"plan"> | SeenOf<"file">)[];
  /** What the file says about its steps, by anchor; empty when it cannot be read. */
  readonly steps: ReadonlyMap<string, PlanStep>;
}

/** Compares a plan's file with what was read of it. */
export async function observePlan(ports: Ports, row: PlanRow): Promise<ObservedPlan> {
  const key = row.plan_path;
  const location = ports.plans.find(key);
  const as = (
    file: SeenOf<"plan">["now"]["file"],
    detail = "",
    begun: readonly string[] = [],
  ): SeenOf<"plan"> => ({ kind: "plan", now: { file }, facts: { plan: key, detail, begun } });
  if (location.path === undefined)
    return { seen: [as(ports.plans.existsAnywhere(key) ? "as-read" : "gone")], steps: new Map() };
  try {
    const read = await readPlan(ports, planPathFromHere(ports, key));
    const broken = read.plan.diagnostics.find(({ severity }) => severity === "error");
    if (broken)
      return {
        seen: [as("malformed", `line ${broken.line}, column ${broken.column}: ${broken.message}`)],
        steps: new Map(),
      };
    const { file, ticked } = await standOf(ports, { row, read, location });
    const change = file === "as-read" || ticked.length > 0 ? undefined : await changeOf(ports, row, location);
    const plan = change
      ? as(file, change.detail, change.begun)
      : as(file, ticked.length > 0 ? `completed in the file: ${ticked.join(", ")}` : "");
    return { seen: [plan, ...unreadFiles(read)], steps: stepsByAnchor(read) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { seen: [as("malformed", error.message)], steps: new Map() };
  }
}

interface Compared {
  readonly row: PlanRow;
  readonly read: ReadPlan;
  readonly location: PlanLocation;
}

/** How a file stands to what was read, and the steps that it calls completed before any worker had them, where they count. */
async function standOf(
  ports: Ports,
  { row, read, location }: Compared,
): Promise<{ readonly file: "as-read" | "newer" | "uncommitted"; readonly ticked: readonly string[] }> {
  const database = await ports.database();
  const { plan_path } = row;
  if (!read.isKnownBy(row.plan_hash)) {
    const committed = await committedAs(ports, read, location);
    if (committed && committed.hash !== read.hash) return { file: "uncommitted", ticked: [] };
    // On a server, a text that was known before is that of a clone which is behind: no claim takes it over.
    const isKnown = () =>
      database.read((sql) => sql.get(findPlanSnapshot, { plan_path, plan_hash: read.hash }));
    return { file: ports.storeIsShared && (await isKnown()) ? "as-read" : "newer", ticked: [] };
  }
  const rows = await database.read((sql) => sql.all(listSteps, { plan_path }));
  if (tickedIn(read.plan, rows).length === 0) return { file: "as-read", ticked: [] };
  const committed = await committedAs(ports, read, location);
  const counts = committed ?? (isInBase(ports, location) ? read : undefined);
  const ticked = counts?.isKnownBy(row.plan_hash) ? tickedIn(counts.plan, rows) : [];
  return { file: ticked.length > 0 ? "newer" : "as-read", ticked };
}

async function committedAs(
  ports: Ports,
  { key, plan }: ReadPlan,
  location: PlanLocation,
): Promise<ReadPlan | undefined> {
  const { committedPlan } = await loadCommittedPlan();
  const content = await committedPlan(ports, location);
  return content && readPlanContent(ports, key, content, plan.format);
}

const isInBase = ({ repository: { mainTopLevel } }: Ports, { path }: PlanLocation): boolean =>
  mainTopLevel === undefined || (path?.startsWith(`${mainTopLevel}/`) ?? false);

export const stepsByAnchor = ({ plan }: ReadPlan): ReadonlyMap<string, PlanStep> =>
  new Map(flatten(plan).map(({ step }) => [step.anchor, step]));

async function changeOf(
  ports: Ports,
  row: PlanRow,
  location: Parameters<typeof describeChange>[3],
): Promise<{ readonly detail: string; readonly begun: readonly string[] }> {
  const database = await ports.database();
  return database.read(async (sql) => {
    const { summary, changed } = await describeChange(ports, sql, row, location);
    const rows = await sql.all(listSteps, { plan_path: row.plan_path });
    const begun = rows.filter(
      ({ anchor, status }) => changed.includes(anchor) && (isHeld(status) || status === "completed"),
    );
    return { detail: summary, begun: begun.map(({ anchor }) => anchor) };
  });
}

/** Files of a folder that were skipped. */
export const unreadFiles = ({ key, plan }: ReadPlan): readonly SeenOf<"file">[] =>
  plan.diagnostics
    .filter(({ name, file }) => name === "plan/unread-file" && file !== undefined)
    .map(({ file, line, column, message }) => ({
      kind: "file",
      now: { text: "unreadable" },
      facts: { plan: key, file: file!, detail: `line ${line}, column ${column}: ${message}` },
    }));
