import { Failure, plural, shellWord } from "../../domain/index.ts";
import { FORMAT_OPTION, PLAN } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { importableLines, importedLines } from "../text/show-import.ts";
import { type Issue, snakeCase } from "../../journal/index.ts";

export const stateInitCommand = defineCommand({
  name: "state init",
  more: `Calling it again changes nothing. When the plan file was edited, --force reads it again and keeps the
progress of every step whose words are the same; what cannot be kept is listed. Pawl saves the earlier state to a file
first; \`pawl state restore\` restores it. Where commits of this history say that steps of a plan without state are
done, it is refused: \`pawl state reconcile\` reads them back, and --afresh starts without them. Neither removes
anything. Where Tugstate has a database in .tugtool, it prints that progress, and --import imports it.`,
  operands: [PLAN],
  options: {
    force: { type: "flag", about: "Read an edited plan again, keeping progress" },
    "discard-progress": { type: "flag", about: "With --force: keep no progress" },
    afresh: {
      type: "flag",
      about: "Start with every step open, though commits say that some were done (for people)",
    },
    import: { type: "flag", about: "Take over the progress that another tool recorded (for people)" },
    ...FORMAT_OPTION,
  },
  examples: ["pawl state init plan.md", "pawl state init plan.md --force"],
  async run(context, values, [plan = ""]) {
    const { force = false, "discard-progress": discardProgress = false, afresh = false, format } = values;
    if (discardProgress && !force)
      throw new Failure("usage/wrong", "--discard-progress goes with --force.", {});
    if (force && values.import) throw new Failure("usage/wrong", "--import goes without --force.", {});
    const pawl = await context.pawl();
    if (!force) {
      const answer = await pawl.init({ plan, format, afresh });
      const imported = values.import ? await pawl.importProgress({ plan }) : undefined;
      const importable = await pawl.importable({ plan });
      const news = { ...importable, progress: importable.progress.filter(({ tool }) => tool === "Tugstate") };
      return {
        data: snakeCase({
          ...answer,
          importable: importable.progress,
          ...(imported && { imported: imported.plans }),
        }),
        issues: [
          ...answer.diagnostics.filter((one) => one.severity !== "info"),
          ...(answer.planChanged ? [changed(answer.planPath)] : []),
        ],
        text: (paint) => {
          const counts = [
            plural(answer.stepCount, "step"),
            plural(answer.substepCount, "substep"),
            plural(answer.depCount, "dependency", "dependencies"),
            plural(answer.checklistCount, "item"),
          ].join(", ");
          const next = `  next: pawl state claim ${paint.plain(shellWord(answer.planPath))} --worktree .`;
          const command = `pawl state init ${shellWord(answer.planPath)} --import`;
          return [
            answer.alreadyInitialized
              ? `${paint.bold(answer.planPath)} has state already: ${counts}.`
              : `${paint.green("Saved")} ${paint.bold(answer.planPath)}: ${counts}.`,
            ...(imported ? importedLines(imported, paint) : importableLines(news, command, paint)),
            ...(answer.alreadyInitialized ? [] : [next]),
          ].join("\n");
        },
      };
    }
    const answer = await pawl.reinit({ plan, format, discardProgress });
    return {
      data: snakeCase(answer),
      issues: answer.diagnostics.filter((one) => one.severity !== "info"),
      text: (paint) => {
        const lines = [
          `${paint.green("Read again")} ${paint.bold(answer.planPath)}: ${plural(answer.stepCount, "step")}, ${plural(answer.substepCount, "substep")}.`,
        ];
        if (answer.reinitialized) lines.push(`Kept ${answer.keptSteps.length} as they were.`);
        for (const step of answer.droppedSteps)
          lines.push(`  ${paint.yellow(step.anchor)} was ${step.was}: ${step.because}`);
        if (answer.savedTo !== null)
          lines.push(`The state from before: pawl state restore ${paint.plain(shellWord(answer.savedTo))}`);
        return lines.join("\n");
      },
    };
  },
});

const changed = (plan: string): Issue => ({
  code: "E048",
  name: "plan/changed",
  severity: "warning",
  message: `${plan} was edited after it was saved; the next claim takes over what can be taken over.`,
  hint: `For people: \`pawl recover ${shellWord(plan)}\` asks about changes that are not committed and about steps whose work has begun.`,
});
