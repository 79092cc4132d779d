import { isOpenItem, type PlanItem, type PlanStep } from "../domain/index.ts";
import type { VerifySettings } from "./verify-settings.ts";
import { type StepView, tickableItems } from "../steps/index.ts";

/** One thing that a verdict is made from. */
export type StepCheck =
  | { readonly kind: "checklist" }
  | {
      readonly kind: "command";
      readonly source: "own" | "checkpoint" | "configured";
      readonly argv: readonly string[];
    }
  | { readonly kind: "agent"; readonly agent: string };

/**
 * What is checked, in this order; the first that fails decides.
 *
 * The checklist costs nothing, so it comes first. Commands out of a plan are run only where a person has said so: the
 * plan's author would decide otherwise what runs on this machine.
 */
export function checksFor(
  step: { readonly items: readonly Pick<PlanItem, "kind" | "text">[] },
  verify: VerifySettings,
  own: PlanStep["verification"],
): readonly StepCheck[] {
  const checks: StepCheck[] = [{ kind: "checklist" }];
  if (verify.runCheckpoints) {
    const argv = own?.command === undefined ? undefined : plainWords(own.command);
    if (argv) checks.push({ kind: "command", source: "own", argv });
    for (const { kind, text } of step.items) {
      const words = kind === "checkpoint" ? checkpointCommand(text) : undefined;
      if (words) checks.push({ kind: "command", source: "checkpoint", argv: words });
    }
  }
  if (verify.command) checks.push({ kind: "command", source: "configured", argv: verify.command });
  if (verify.agent !== undefined) checks.push({ kind: "agent", agent: verify.agent });
  return checks;
}

/** Names what decides about a tree, so that a verdict is found again; undefined where only the checklist decides. */
export function checksKey(checks: readonly StepCheck[]): string | undefined {
  const named = checks.flatMap((check) => {
    if (check.kind === "checklist") return [];
    return [check.kind === "command" ? check.argv : [`agent ${check.agent}`]];
  });
  return named.length === 0 ? undefined : JSON.stringify(named);
}

/**
 * Whether a verification of the step could fail at all: by a checklist that has something on it, a command or an agent.
 * What nothing could fail would pass, and be called done although nothing checked it.
 */
export function canFail(step: PlanStep, verify: VerifySettings): boolean {
  const hasList = step.items.length > 0 || step.substeps.length > 0;
  return checksFor(step, verify, step.verification).some(({ kind }) => kind !== "checklist" || hasList);
}

/** The command that a checkpoint item starts with, between backticks. */
function checkpointCommand(text: string): readonly string[] | undefined {
  const [, code = ""] = /^`([^`]+)`/.exec(text.trim()) ?? [];
  return plainWords(code);
}

/** Words and quotes, nothing that a shell would act on. No shell reads it, so a line that needs one is no command. */
function plainWords(code: string): readonly string[] | undefined {
  if (code === "" || /[|&;<>()$\\*?~#!{}[\]\n]/.test(code)) return undefined;
  const words: string[] = [];
  for (const [, double, single, bare] of code.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g))
    words.push(double ?? single ?? bare ?? "");
  // A quote that is not closed, or one inside a word, means something else than it seems.
  const isPlain = /^(?:\s*(?:"[^"]*"|'[^']*'|[^\s"']+)(?=\s|$))+\s*$/.test(code);
  return isPlain && words.length > 0 ? words : undefined;
}

/** What is still open in a step and below it, a line each with how to close it. */
export function openWork(plan: string, step: StepView): readonly string[] {
  const lines: string[] = [];
  for (const each of [step, ...step.substeps]) {
    if (each !== step && each.status === "completed") continue;
    for (const { kind, ordinal, text } of tickableItems(each).filter(isOpenItem))
      lines.push(
        `${each.anchor}: ${kind} ${ordinal} is open: ${text} (tick it with: pawl state update ${plan} ${each.anchor} --${kind} ${ordinal} completed)`,
      );
  }
  return lines;
}
