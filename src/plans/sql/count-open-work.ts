import { statement } from "../../platform/index.ts";
import { OPEN_WORK, type OpenStepWork } from "./open-work.ts";

/** What is still open about a step, and how many wait for it. */
export const countOpenWork = statement<{ plan_path: string; anchor: string }, OpenStepWork>(`
  select ${OPEN_WORK}
`);
