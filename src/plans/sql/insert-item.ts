import { statement } from "../../platform/index.ts";

/** One item of a step's checklist. */
export const insertItem = statement<{
  plan_path: string;
  anchor: string;
  kind: string;
  ordinal: number;
  text: string;
}>(`
  insert into checklist_items (plan_path, step_anchor, kind, ordinal, text, status)
  values (:plan_path, :anchor, :kind, :ordinal, :text, 'open')
`);
