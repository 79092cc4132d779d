import { statement } from "../../../platform/index.ts";

/** A step whose plan has another text than the one it was begun or done with. */
export const findEditedStep = statement<{ plan_path: string }, { readonly anchor: string }>(`
  select anchor
    from steps
   where plan_path = :plan_path
     and parent_anchor is null
     and bound_to is not null
   limit 1
`);
