import { statement } from "../../platform/statement.ts";
import type { ArtifactRow } from "../../platform/rows.ts";

/** The breadcrumbs of one step, oldest first. */
export const listStepArtifacts = statement<{ plan_path: string; anchor: string }, ArtifactRow>(`
  select id, step_anchor, kind, summary, content, claim, recorded_at
    from step_artifacts
   where plan_path = :plan_path and step_anchor = :anchor
   order by id
`);
