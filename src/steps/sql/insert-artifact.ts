import { statement } from "../../platform/index.ts";
import { CALLER_OWNS_IT, IS_WORKED_ON, type OwnerParams } from "./owner.ts";

/** The owner leaves a breadcrumb. */
export const insertArtifact = statement<
  OwnerParams & { kind: string; summary: string; content: string | null; now: string }
>(`
  insert into step_artifacts (plan_path, step_anchor, kind, summary, content, claim, recorded_at)
  select :plan_path, :anchor, :kind, :summary, :content,
         (select claim_seq from steps where plan_path = :plan_path and anchor = :owner_anchor), :now
   where ${CALLER_OWNS_IT}
     and ${IS_WORKED_ON}
`);
