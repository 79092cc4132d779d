import { type Diagnostic, flatten } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { readPlan } from "./save.ts";

export interface PlanChecked {
  readonly planPath: string;
  readonly format: string;
  readonly steps: number;
  readonly errors: number;
  readonly warnings: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a plan of this repository; files elsewhere are refused, so that no caller can read them through it. */
export async function checkPlan(ports: Ports, request: { readonly plan: string }): Promise<PlanChecked> {
  const { key, plan } = await readPlan(ports, request.plan);
  const count = (severity: string) => plan.diagnostics.filter((one) => one.severity === severity).length;
  return {
    planPath: key,
    format: plan.format,
    steps: flatten(plan).length,
    errors: count("error"),
    warnings: count("warning"),
    diagnostics: plan.diagnostics,
  };
}
