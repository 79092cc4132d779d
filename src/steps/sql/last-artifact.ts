import { statement } from "../../platform/index.ts";

/** The breadcrumb that was just left on a step. */
export const lastArtifact = statement<{ plan_path: string; anchor: string }, { id: number }>(`
  select max(id) as id
    from step_artifacts
   where plan_path = :plan_path and step_anchor = :anchor
`);
