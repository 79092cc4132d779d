import { EXIT_CODES, Failure, plural } from "../../domain/index.ts";
import type { Check, DoctorAnswer, DoctorRequest } from "../../recovery/index.ts";
import { defineCommand } from "../command.ts";
import type { Context } from "../context.ts";
import type { Paint } from "../text/paint.ts";
import { paragraph } from "../text/paragraph.ts";
import { snakeCase } from "../../journal/index.ts";

export const doctorCommand = defineCommand({
  name: "doctor",
  operands: [],
  options: {
    fix: { type: "flag", about: "Repair what can be repaired without losing anything" },
    full: { type: "flag", about: "Also read every git object; takes as long as `git fsck`" },
  },
  examples: ["pawl doctor", "pawl doctor --fix"],
  async run(context, { fix = false, full = false }) {
    const answer = await answerOf(context, { fix, full });
    const { passed, warnings, failures } = answer.summary;
    return {
      data: snakeCase(answer),
      exitCode: failures > 0 ? EXIT_CODES.failed : 0,
      text: (paint) =>
        [
          ...answer.checks.map((check) => line(check, paint)),
          ...answer.fixed.map((what) => `${paint.green("fixed")} ${paint.plain(what)}`),
          `${passed} passed, ${plural(warnings, "warning")}, ${failures} failed`,
        ].join("\n"),
    };
  },
});

/** Settings that cannot be read keep everything else from being found; the answer says just that. */
async function answerOf(context: Context, request: DoctorRequest): Promise<DoctorAnswer> {
  try {
    return await (await context.pawl()).doctor(request);
  } catch (error) {
    if (!(error instanceof Failure) || error.problem !== "settings/invalid") throw error;
    const { message, hint, code, details } = error;
    return {
      checks: [
        {
          name: "settings",
          status: "fail",
          message: `${message} ${hint} Nothing else was checked.`,
          details: { code, ...details },
        },
      ],
      summary: { passed: 0, warnings: 0, failures: 1 },
      fixed: [],
    };
  }
}

const NAMES = 15;
/** Where messages start: behind the mark and the name. */
const BEHIND = 4 + 2 + NAMES + 2;

function line(check: Check, paint: Paint): string {
  const mark = { pass: paint.green("pass"), warn: paint.yellow("warn"), fail: paint.red("fail") }[
    check.status
  ];
  const problems = (check.details["problems"] as readonly string[] | undefined) ?? [];
  return [
    `${mark}  ${paint.bold(check.name.padEnd(NAMES))}  ${paragraph(check.message, BEHIND, paint.columns)}`,
    ...problems.map((problem) => `      ${paragraph(problem, 6, paint.columns)}`),
  ].join("\n");
}
