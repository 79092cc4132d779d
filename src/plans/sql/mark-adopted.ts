import { statement } from "../../platform/index.ts";

/** The moves of an adoption are the file's own words: no worker has touched the step since it was saved. */
export const markAdopted = statement<{ plan_path: string; anchor: string }>(`
  update steps
     set last_event = 'saved'
   where plan_path = :plan_path
     and anchor = :anchor
`);
