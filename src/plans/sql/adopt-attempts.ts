import { statement } from "../../platform/index.ts";

/** How often a step was verified before Pawl knew it, by its file. */
export const adoptAttempts = statement<{ plan_path: string; anchor: string; attempts: number }>(`
  update steps
     set verification_attempts = :attempts
   where plan_path = :plan_path
     and anchor = :anchor
`);
