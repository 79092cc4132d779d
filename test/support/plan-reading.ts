import { flatten, type Plan } from "../../src/domain/plan.ts";
import type { Account } from "../../src/plans/formats/account.ts";

/** A reading as a text that people can compare: the account, the steps with their items, what was left out, what was said. */
export function readingOf(plan: Plan, account: Account): string {
  const { boxes, headings, steps, items, checks, leftOut } = account;
  return [
    `format: ${plan.format}`,
    `title: ${plan.title ?? "-"}`,
    `account: ${boxes} boxes, ${headings} task headings; ${steps} steps, ${items} items, ${checks} checks, ${leftOut.length} left out`,
    ...flatten(plan).flatMap(({ step, parent }) => {
      const indent = parent === undefined ? "" : "  ";
      const status = `${step.progress?.status ?? "-"}${step.isOptional ? ", optional" : ""}`;
      const needs = step.dependsOn.map(({ anchor }) => anchor).join(", ");
      return [
        `${indent}step ${step.anchor} (line ${step.line}): ${step.title} [${status}]${needs === "" ? "" : ` after ${needs}`}`,
        ...step.items.map(
          ({ text, box, line, isOptional }) =>
            `${indent}  item ${line}: ${text} [${box}${isOptional ? ", optional" : ""}]`,
        ),
      ];
    }),
    ...(plan.checks ?? []).map(({ line, text }) => `check ${line}: ${text}`),
    ...leftOut.map(({ line, text, why }) => `left out ${line}: ${text} (${why})`),
    ...plan.diagnostics.map(({ severity, code, line, message }) => `${severity} ${code} ${line}: ${message}`),
    "",
  ].join("\n");
}
