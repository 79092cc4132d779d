import { plural, shellWord } from "../../domain/index.ts";
import type { Importable, ImportAnswer } from "../../store/index.ts";
import type { Paint } from "./paint.ts";

/** What other tools left here, and the command that imports it. */
export function importableLines(
  { progress, worktrees }: Importable,
  command: string,
  paint: Paint,
): readonly string[] {
  const isNews = progress.some(({ problem, toImport }) => problem === null && toImport > 0);
  return [
    ...progress.map(({ tool, source, planPath, steps, completed, problem }) => {
      const where = planPath === null || planPath === source ? source : `${source}, ${planPath}`;
      const how = problem === null ? `${completed} of ${plural(steps, "step")} completed` : problem;
      return `  ${paint.bold(tool)} ${paint.plain(`${where}: ${how}`)}`;
    }),
    ...worktrees.map(({ path, branch, commits, uncommittedFiles }) => {
      const ahead = commits === null ? "" : `${plural(commits, "commit")} not in the main checkout, `;
      return `  ${paint.bold("worktree")} ${paint.plain(`${path} (${branch}): ${ahead}${plural(uncommittedFiles, "uncommitted file")}`)}`;
    }),
    ...(isNews ? [`Import this progress with: ${paint.bold(command)}`] : []),
  ];
}

/** What an import brought. */
export function importedLines({ plans }: ImportAnswer, paint: Paint): readonly string[] {
  return plans.flatMap(({ tool, planPath, completed, items, skipped, problem }) => {
    const name = paint.bold(shellWord(planPath));
    if (problem !== null)
      return [`${paint.yellow("Not imported")} ${name} from ${tool}: ${paint.plain(problem)}`];
    const brought = [
      ...(completed.length > 0 ? [`${plural(completed.length, "step")} completed`] : []),
      ...(items > 0 ? [`${plural(items, "item")} ticked`] : []),
    ];
    const what = brought.length > 0 ? brought.join(", ") : "nothing new";
    return [
      `${paint.green("Imported")} ${name} from ${tool}: ${what}.`,
      ...skipped.map(
        ({ anchor, because }) => `  ${paint.yellow("left open")} ${paint.plain(`${anchor}: ${because}`)}`,
      ),
    ];
  });
}
