import { EXIT_CODES, flatten, type LeftOut, type Plan, plural, type Severity } from "../../domain/index.ts";
import type { Account } from "../../plans/formats/index.ts";
import { FORMAT_OPTION, PLAN } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { planExitCode, issuesOf, loadPlan } from "../load-plan.ts";
import { columns, wrap } from "../text/layout.ts";
import type { Paint } from "../text/paint.ts";

export const planCheckCommand = defineCommand({
  name: "plan check",
  more: `An error means that the plan cannot run as it is. A warning means that it can, but perhaps not as its author
meant it. A note says what was accepted or left out. Every box and every heading that names a task is counted as a
step, an item, a check of the plan, or left out with the reason; of a plan that is too long only the beginning is.
With errors the exit code is 1; with --strict also with warnings.`,
  operands: [PLAN],
  options: { strict: { type: "flag", about: "Warnings fail, too" }, ...FORMAT_OPTION },
  examples: ["pawl plan check plan.md", "pawl plan check plan.md --strict --json"],
  run: async (context, { strict = false, format }, [operand = ""]) => {
    const { planPath, plan, account: accountFor } = loadPlan(context, operand, format);
    const counts = countsOf(plan);
    const account = accountFor();
    return {
      data: {
        plan_path: planPath,
        format: plan.format,
        title: plan.title ?? null,
        ...counts,
        account: {
          boxes: account.boxes,
          task_headings: account.headings,
          steps: account.steps,
          items: account.items,
          checks: account.checks,
          left_out: account.leftOut,
        },
        diagnostics: plan.diagnostics,
      },
      issues: issuesOf(plan),
      showsIssues: true,
      exitCode: strict && counts.warnings > 0 ? EXIT_CODES.failed : planExitCode(plan),
      text: (paint) =>
        [
          ...diagnosticLines(planPath, plan, paint),
          ...accountLines(account, paint),
          summary(planPath, plan.format, counts, paint),
        ].join("\n"),
    };
  },
});

function countsOf(plan: Plan) {
  const rows = flatten(plan);
  const count = (severity: Severity) => plan.diagnostics.filter((one) => one.severity === severity).length;
  return {
    step_count: plan.steps.length,
    substep_count: rows.length - plan.steps.length,
    dep_count: rows.reduce((sum, { step }) => sum + step.dependsOn.length, 0),
    checklist_count: rows.reduce((sum, { step }) => sum + step.items.length, 0),
    errors: count("error"),
    warnings: count("warning"),
    infos: count("info"),
  };
}

type Counts = ReturnType<typeof countsOf>;

/**
 * `plan.md:12:3  error  P004  message`, aligned, one line each so that other programs can pick them up. The hint of a
 * kind stands under the first of that kind.
 */
function diagnosticLines(planPath: string, { diagnostics }: Plan, paint: Paint): readonly string[] {
  if (diagnostics.length === 0) return [];
  const lines = columns(
    diagnostics.map(({ file, line, column, severity, code, message }) => [
      paint.plain(`${file === undefined ? planPath : `${planPath}/${file}`}:${line}:${column}`),
      LABELS[severity](paint),
      paint.dim(code),
      paint.plain(message),
    ]),
  ).split("\n");
  const hinted = new Set<string>();
  return [
    ...diagnostics.flatMap(({ code, hint }, index) => {
      if (hinted.has(code)) return [lines[index]!];
      hinted.add(code);
      return [
        lines[index]!,
        ...wrap(`hint: ${hint}`, paint.columns - 4).map((line) => `    ${paint.dim(line)}`),
      ];
    }),
    "",
  ];
}

const LABELS: Readonly<Record<Severity, (paint: Paint) => string>> = {
  error: (paint) => paint.red("error"),
  warning: (paint) => paint.yellow("warning"),
  info: (paint) => paint.blue("note"),
};

/** What was left out, counted by reason with the first lines; nothing where everything became something. */
function accountLines(
  { boxes, headings, items, checks, steps, leftOut }: Account,
  paint: Paint,
): readonly string[] {
  if (boxes + headings === 0 && leftOut.length === 0) return [];
  const byReason = new Map<string, LeftOut[]>();
  for (const one of leftOut) {
    const same = byReason.get(one.why);
    if (same) same.push(one);
    else byReason.set(one.why, [one]);
  }
  const found = `${plural(boxes, "box", "boxes")} and ${plural(headings, "task heading")}`;
  const became = [
    plural(steps, "step"),
    plural(items, "item"),
    plural(checks, "check"),
    `${leftOut.length} left out`,
  ].join(", ");
  return [
    ...(boxes + headings === 0 ? [] : [`${found}: ${became}`]),
    ...[...byReason].map(([why, all]) => {
      const lines = all.slice(0, MOST_LINES).map(({ line }) => line);
      const more = all.length > MOST_LINES ? ` and ${all.length - MOST_LINES} more` : "";
      return `  ${paint.yellow("left out")} ${all.length === 1 ? "line" : "lines"} ${lines.join(", ")}${more}: ${paint.plain(why)}`;
    }),
    "",
  ];
}

const MOST_LINES = 8;

function summary(planPath: string, format: string, counts: Counts, paint: Paint): string {
  const content = [
    plural(counts.step_count, "step"),
    plural(counts.substep_count, "substep"),
    plural(counts.dep_count, "dependency", "dependencies"),
    plural(counts.checklist_count, "item"),
  ].join(", ");
  const verdict = [
    paint[counts.errors > 0 ? "red" : "green"](plural(counts.errors, "error")),
    paint[counts.warnings > 0 ? "yellow" : "plain"](plural(counts.warnings, "warning")),
    paint.plain(plural(counts.infos, "note")),
  ].join(", ");
  return `${paint.bold(planPath)} (${paint.plain(format === "unknown" ? "unknown format" : format)}): ${content}\n${verdict}`;
}
