import { copyFileSync, existsSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../../domain/index.ts";
import { makeScratch, sweepScratch } from "../index.ts";
import type { ReadTugstate, TugstatePlan } from "../ports/index.ts";
import { type Connection, loadDriver } from "./driver.ts";

const SCRATCH = "pawl-import-";
const COPY = "state.db";

/**
 * Reads a copy: opening the file itself would fold its log in, or make files beside it.
 *
 * The version that Pawl reads is the only one there is.
 */
export const readTugstate: ReadTugstate = (path) => {
  if (!existsSync(path)) return undefined;
  sweepScratch(tmpdir(), SCRATCH);
  const folder = makeScratch(tmpdir(), SCRATCH);
  let connection: Connection | undefined;
  try {
    for (const end of ["", "-wal"])
      if (existsSync(`${path}${end}`)) copyFileSync(`${path}${end}`, join(folder, `${COPY}${end}`));
    connection = loadDriver().open(join(folder, COPY));
    const version = (rows(connection, "select version from schema_version") as { version: number }[])[0]
      ?.version;
    if (version !== 1) throw new Error(`its version is ${version ?? "unknown"}, not 1`);
    return plansOf(connection);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Failure(
      "import/unreadable",
      `${path} cannot be read as a database of Tugstate: ${why}.`,
      { path },
      { cause: error },
    );
  } finally {
    connection?.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

/** As the other tool's schema has them. */
const rows = (connection: Connection, sql: string): readonly unknown[] => connection.prepare(sql).all();

interface StepOfTugstate {
  readonly plan_path: string;
  readonly anchor: string;
  readonly parent_anchor: string | null;
  readonly title: string;
  readonly status: string;
  readonly commit_hash: string | null;
  readonly complete_reason: string | null;
}

interface ItemOfTugstate {
  readonly plan_path: string;
  readonly step_anchor: string;
  readonly kind: string;
  readonly ordinal: number;
  readonly text: string;
}

function plansOf(connection: Connection): readonly TugstatePlan[] {
  const steps = rows(
    connection,
    "select * from steps order by plan_path, step_index",
  ) as readonly StepOfTugstate[];
  const items = rows(
    connection,
    "select plan_path, step_anchor, kind, ordinal, text from checklist_items where status = 'completed'",
  ) as readonly ItemOfTugstate[];
  const plans = rows(connection, "select plan_path from plans order by plan_path") as readonly {
    plan_path: string;
  }[];
  return plans.map(({ plan_path }) => ({
    planPath: plan_path,
    steps: steps
      .filter((step) => step.plan_path === plan_path)
      .map((step) => ({
        anchor: step.anchor,
        isSubstep: step.parent_anchor !== null,
        title: step.title,
        isCompleted: step.status === "completed",
        commit: step.commit_hash,
        reason: step.complete_reason,
        items: items.filter((item) => item.plan_path === plan_path && item.step_anchor === step.anchor),
      })),
  }));
}
