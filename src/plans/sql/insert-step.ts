import { statement } from "../../platform/index.ts";

/** A new step; what it waits for is counted once its dependencies are in. */
export const insertStep = statement<{
  plan_path: string;
  anchor: string;
  parent_anchor: string | null;
  step_index: number;
  title: string;
  content_hash: string;
}>(`
  insert into steps (plan_path, anchor, parent_anchor, step_index, title, status, last_event, content_hash)
  values (:plan_path, :anchor, :parent_anchor, :step_index, :title, 'pending', 'saved', :content_hash)
`);
