import { type ArtifactRow, statement } from "../../platform/index.ts";

/** The breadcrumbs of one step, oldest first. */
export const listStepArtifacts = statement<{ plan_path: string; anchor: string }, ArtifactRow>(`
  select id, step_anchor, kind, summary, content, claim, recorded_at
    from step_artifacts
   where plan_path = :plan_path and step_anchor = :anchor
   order by id
`);
