import { type ArtifactRow, statement } from "../../platform/index.ts";

/** Every breadcrumb of the plan, oldest first. */
export const listArtifacts = statement<{ plan_path: string }, ArtifactRow>(`
  select id, step_anchor, kind, summary, content, claim, recorded_at
    from step_artifacts
   where plan_path = :plan_path
   order by id
`);
