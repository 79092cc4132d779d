import { statement } from "../../platform/index.ts";

/** A step that was kept when the plan was read again: its place and words are new, its progress is not. */
export const replaceStep = statement<{
  plan_path: string;
  anchor: string;
  parent_anchor: string | null;
  step_index: number;
  title: string;
  content_hash: string;
}>(`
  update steps
     set parent_anchor = :parent_anchor,
         step_index = :step_index,
         title = :title,
         content_hash = :content_hash,
         bound_to = null,
         stands_as = null
   where plan_path = :plan_path and anchor = :anchor
`);
