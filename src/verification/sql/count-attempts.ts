import { statement } from "../../platform/index.ts";

/** How often a step was verified, from its first day on. */
export const countAttempts = statement<{ plan_path: string; anchor: string }, { readonly most: number }>(`
  select coalesce(max(number), 0) as most
    from attempts
   where plan_path = :plan_path
     and anchor = :anchor
`);
