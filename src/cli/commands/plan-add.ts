import { shellWord } from "../../domain/index.ts";
import { snakeCase } from "../../journal/index.ts";
import type { Pawl } from "../../api.ts";
import { PLAN } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import type { Paint } from "../text/paint.ts";

export const planAddCommand = defineCommand({
  name: "plan add",
  more: `For people. The step gets the next number or id, behind the last step; the rest of the file stays as it is.
Commit the file for the step to count: of a committed plan, only the committed text counts. Works for formats that
people write by hand: tugplan, headed tasks, checklists and Kiro.`,
  operands: [PLAN, { name: "title", about: "What the step is for, in one line", required: true }],
  options: {
    text: { type: "text", value: "TEXT", about: "What an agent must know about it" },
    task: { type: "text", many: true, value: "TEXT", about: "One thing to do, as a box; may be repeated" },
    after: {
      type: "text",
      many: true,
      value: "STEP",
      about: "A step that it waits for, if the format can express that; may be repeated",
    },
    seen: {
      type: "text",
      value: "HASH",
      about: "Only if the file still has the version that --dry-run printed",
    },
    "dry-run": { type: "flag", about: "Print what would be written, and write nothing" },
  },
  examples: [
    'pawl plan add plan.md "Read the length" --task "Parse the field" --after step-1',
    'pawl plan add tasks.md "Write the changelog" --dry-run',
  ],
  async run(context, { text, task, after, seen, "dry-run": dryRun }, [plan = "", title = ""]) {
    const pawl = await context.pawl();
    const answer = await pawl.addStep({
      plan,
      title,
      seen,
      dryRun,
      ...(text === undefined ? {} : { text }),
      ...(task === undefined ? {} : { tasks: task }),
      ...(after === undefined ? {} : { after }),
    });
    return { data: snakeCase(answer), text: (paint) => described(answer, dryRun === true, paint).join("\n") };
  },
});

type Added = Awaited<ReturnType<Pawl["addStep"]>>;

function described(answer: Added, isDry: boolean, paint: Paint): readonly string[] {
  const { planPath, anchor, line, lines, added, needsCommit } = answer;
  const place = `${planPath}:${line}`;
  if (!added && !isDry) return [`${paint.bold(anchor)} is there already, in ${paint.plain(place)}.`];
  return [
    `${paint.green(isDry ? "Would add" : "Added")} ${paint.bold(anchor)} in ${paint.plain(place)}:`,
    ...lines.map((one) => (one === "" ? "" : `  ${paint.dim(one)}`)),
    "",
    needsCommit
      ? `It counts once it is committed: ${paint.plain(`git commit -m "plan: add ${anchor}" -- ${shellWord(planPath)}`)}`
      : "No commit has this plan, so the file counts as it is.",
  ];
}
