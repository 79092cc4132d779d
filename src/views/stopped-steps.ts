import type { Ports } from "../platform/ports/index.ts";
import { listStoppedSteps } from "../steps/index.ts";
import { openIfThere } from "../journal/index.ts";

/** A step that goes on only when a person decides. */
export interface StoppedStep {
  readonly planPath: string;
  readonly anchor: string;
  readonly title: string;
  readonly status: string;
  readonly reason: string | null;
  readonly note: string | null;
}

const MOST = 100;

export async function stoppedSteps(ports: Ports): Promise<readonly StoppedStep[]> {
  const database = await openIfThere(ports);
  const rows = (await database?.read((sql) => sql.all(listStoppedSteps, { most: MOST }))) ?? [];
  return rows.map(({ plan_path, anchor, title, status, block_reason, block_note }) => ({
    planPath: plan_path,
    anchor,
    title,
    status,
    reason: block_reason,
    note: block_note,
  }));
}
