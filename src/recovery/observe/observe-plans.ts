import { Failure, flatten, type PlanStep } from "../../domain/index.ts";
import type { PlanLocation, Ports } from "../../platform/ports/index.ts";
import type { SeenOf } from "../rules/index.ts";
import type { PlanRow } from "../../platform/index.ts";
import {
  describeChange,
  loadCommittedPlan,
  planPathFromHere,
  readPlan,
  readPlanContent,
  type ReadPlan,
} from "../../plans/index.ts";

export interface SeenPlan {
  readonly seen: readonly (SeenOf<"plan"> | SeenOf<"file">)[];
  /** What the file says about its steps, by anchor; empty when it cannot be read. */
  readonly steps: ReadonlyMap<string, PlanStep>;
}

/** Compares a plan's file with what was read of it. */
export async function observePlan(ports: Ports, row: PlanRow): Promise<SeenPlan> {
  const key = row.plan_path;
  const location = ports.plans.find(key);
  const as = (file: SeenOf<"plan">["now"]["file"], detail = ""): SeenOf<"plan"> => ({
    kind: "plan",
    now: { file },
    facts: { plan: key, detail },
  });
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
    const isTaken = read.isKnownBy(row.plan_hash) || (await isCommitted(ports, read, location));
    const plan = isTaken ? as("as-read") : as("uncommitted", await changeOf(ports, row, location));
    return { seen: [plan, ...unreadFiles(read)], steps: stepsByAnchor(read) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { seen: [as("malformed", error.message)], steps: new Map() };
  }
}

/** Then the next claim takes it over. So it does with a plan that no commit has. */
async function isCommitted(ports: Ports, read: ReadPlan, location: PlanLocation): Promise<boolean> {
  const { committedPlan } = await loadCommittedPlan();
  const content = await committedPlan(ports, location);
  if (content === undefined) return true;
  const committed = await readPlanContent(ports, read.key, content, read.plan.format);
  return committed.hash === read.hash;
}

export const stepsByAnchor = ({ plan }: ReadPlan): ReadonlyMap<string, PlanStep> =>
  new Map(flatten(plan).map(({ step }) => [step.anchor, step]));

async function changeOf(
  ports: Ports,
  row: PlanRow,
  location: Parameters<typeof describeChange>[3],
): Promise<string> {
  const database = await ports.database();
  return database.read(async (sql) => (await describeChange(ports, sql, row, location)).summary);
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
