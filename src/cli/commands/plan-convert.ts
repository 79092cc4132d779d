import { dirname, resolve } from "node:path";
import { Failure, plural, shellWord } from "../../domain/index.ts";
import { convertPlan, WRITTEN_FORMATS } from "../../plans/formats/index.ts";
import { FORMAT_OPTION, PLAN } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { planExitCode, loadPlan, shownPath } from "../load-plan.ts";

export const planConvertCommand = defineCommand({
  name: "plan convert",
  more: `What was written is read again and compared; where the copy would say less than the plan, nothing is written and
the differences are listed, unless --lossy accepts them. The plan itself stays as it is, and nothing is overwritten.`,
  operands: [PLAN],
  options: {
    to: {
      type: "text",
      value: "FORMAT",
      about: "The format to write",
      choices: WRITTEN_FORMATS,
    },
    output: {
      type: "text",
      value: "PATH",
      about: "A new file, or a folder for task files; shown when left out",
    },
    lossy: { type: "flag", about: "Write it even if something is lost" },
    ...FORMAT_OPTION,
  },
  examples: [
    "pawl plan convert tasks.md --to implementation-plan",
    "pawl plan convert plan.md --to task-files --output .claude/tasks --lossy",
  ],
  run: async (context, { to, output, lossy = false, format }, [operand = ""]) => {
    if (to === undefined) throw new Failure("usage/wrong", "--to is missing: which format?", {});
    const { planPath, plan } = loadPlan(context, operand, format);
    if (planExitCode(plan) !== 0)
      throw new Failure(
        "plan/invalid",
        `${planPath} has errors; Pawl cannot read it reliably.`,
        { plan_path: planPath },
        { hint: `Run \`pawl plan check ${shellWord(planPath)}\` to see them.` },
      );
    const { files, isFolder, lost } = convertPlan(plan, to);
    if (lost.length > 0 && !lossy)
      throw new Failure("plan/would-lose", `As ${to}, ${planPath} would lose some of what it says.`, {
        plan_path: planPath,
        from: plan.format,
        to,
        lost,
      });
    const folder = output === undefined ? undefined : resolve(context.cwd, output);
    const written: string[] = [];
    for (const { name, text } of folder === undefined ? [] : files) {
      const path = isFolder ? `${folder}/${name}` : folder!;
      if (isFolder) context.files.makeFolder(dirname(path));
      context.files.create(path, text);
      written.push(shownPath(context.cwd, path));
    }
    return {
      data: { plan_path: planPath, from: plan.format, to, lost, written, files },
      text: (paint) =>
        [
          ...(folder === undefined
            ? files.flatMap(({ name, text }) => [
                ...(isFolder ? [paint.bold(name)] : []),
                ...text.trimEnd().split("\n").map(paint.plain),
              ])
            : [
                `${paint.green("Wrote")} ${plural(written.length, "file")}: ${paint.plain(shownPath(context.cwd, folder))}`,
              ]),
          ...lost.map(
            ({ what, count, example }) =>
              `  ${paint.yellow("lost")} ${what}, ${count}: ${paint.plain(example)}`,
          ),
        ].join("\n"),
    };
  },
});
