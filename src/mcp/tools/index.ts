import type { Tool } from "../tool.ts";
import { artifactTool } from "./artifact.ts";
import { claimTool } from "./claim.ts";
import { explainTool } from "./explain.ts";
import { nextTool } from "./next.ts";
import { planCheckTool } from "./plan-check.ts";
import { recoverReportTool } from "./recover-report.ts";
import { releaseTool } from "./release.ts";
import { startTool } from "./start.ts";
import { statusTool } from "./status.ts";
import { submitTool } from "./submit.ts";
import { updateTool } from "./update.ts";

/** The tools of a worker, in the order of the work. What is for people is not here. */
export const TOOLS: readonly Tool[] = [
  statusTool,
  nextTool,
  claimTool,
  startTool,
  updateTool,
  artifactTool,
  submitTool,
  releaseTool,
  explainTool,
  planCheckTool,
  recoverReportTool,
];
