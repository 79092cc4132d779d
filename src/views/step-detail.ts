import type { Instant, ItemKind, ItemStatus, StepStatus } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { listStepArtifacts, type StepAddress } from "../steps/index.ts";
import { databaseFor, listWholeStepItems, savedStep } from "../plans/index.ts";

/** What belongs to one step, in full. */
export interface StepDetail {
  readonly planPath: string;
  readonly anchor: string;
  readonly title: string;
  /** The step that it is a part of; null for one that stands by itself. */
  readonly parentAnchor: string | null;
  readonly status: StepStatus;
  /** Of the step and of its substeps. */
  readonly items: readonly {
    readonly anchor: string;
    readonly kind: ItemKind;
    /** From 1, within its step and kind. */
    readonly ordinal: number;
    readonly text: string;
    readonly status: ItemStatus;
  }[];
  readonly artifacts: readonly {
    readonly artifactId: number;
    readonly kind: string;
    readonly summary: string;
    readonly content: string | null;
    readonly claim: number | null;
    readonly recordedAt: Instant;
  }[];
}

/** One step with its items and breadcrumbs, without reading the rest of its plan. */
export async function stepDetail(ports: Ports, { plan, step }: StepAddress): Promise<StepDetail> {
  const { key } = ports.plans.locate(plan);
  const database = await databaseFor(ports, key);
  return database.read(async (sql) => {
    const { anchor, title, parent_anchor, status } = await savedStep(sql, key, step);
    const [items, artifacts] = await Promise.all([
      sql.all(listWholeStepItems, { plan_path: key, anchor }),
      sql.all(listStepArtifacts, { plan_path: key, anchor }),
    ]);
    return {
      planPath: key,
      anchor,
      title,
      parentAnchor: parent_anchor,
      status,
      items: items.map((row) => ({
        anchor: row.step_anchor,
        kind: row.kind,
        ordinal: row.ordinal + 1,
        text: row.text,
        status: row.status,
      })),
      artifacts: artifacts.map((row) => ({
        artifactId: row.id,
        kind: row.kind,
        summary: row.summary,
        content: row.content,
        claim: row.claim,
        recordedAt: row.recorded_at,
      })),
    };
  });
}
