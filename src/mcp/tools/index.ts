import type { Tool } from "../tool.ts";
import { artifact } from "./artifact.ts";
import { claim } from "./claim.ts";
import { explain } from "./explain.ts";
import { next } from "./next.ts";
import { planCheck } from "./plan-check.ts";
import { recoverReport } from "./recover-report.ts";
import { release } from "./release.ts";
import { start } from "./start.ts";
import { status } from "./status.ts";
import { submit } from "./submit.ts";
import { update } from "./update.ts";

/** The tools of a worker, in the order of the work. What is for people is not here. */
export const TOOLS: readonly Tool[] = [
  status,
  next,
  claim,
  start,
  update,
  artifact,
  submit,
  release,
  explain,
  planCheck,
  recoverReport,
];
