import { plural, shellWord } from "../../domain/index.ts";
import type { PrepareAnswer } from "../../store/index.ts";
import { defineCommand } from "../command.ts";
import type { Paint } from "../text/paint.ts";
import { nearPath } from "../text/holder.ts";
import { snakeCase } from "../../journal/index.ts";

/** Enough to show that boxes will do; in a large repository many files have some. */
const MOST_LISTS = 5;

export const initCommand = defineCommand({
  name: "init",
  operands: [],
  options: {},
  examples: ["pawl init"],
  async run(context) {
    const answer = await (await context.pawl()).prepare();
    return {
      data: snakeCase(answer),
      text: (paint) => {
        const lines = [
          `${answer.created ? paint.green("Made") : "Found"} the database ${paint.plain(nearPath(answer.database, context.cwd))}.`,
        ];
        if (answer.settingsCreated)
          lines.push(
            `${paint.green("Wrote")} ${paint.plain(nearPath(answer.settingsFile, context.cwd))}; every setting in it is a comment.`,
          );
        lines.push(...plansText(answer, paint));
        return lines.join("\n");
      },
    };
  },
});

/** What is there to run; what has errors is shown before it is run. */
function plansText(
  { plansFound, checklistsFound, plansWithErrors, worktree }: PrepareAnswer,
  paint: Paint,
): readonly string[] {
  if (worktree === null)
    return ["Plans lie in a worktree, and this is none. Change into one; `git worktree add` makes one."];
  if (plansFound.length + checklistsFound.length === 0)
    return ["No plans found. Write one with: pawl plan new plan"];
  const errorsOf = new Map(plansWithErrors.map(({ planPath, errors }) => [planPath, errors]));
  const line = (kind: string) => (plan: string) => {
    const errors = errorsOf.get(plan);
    const next =
      errors === undefined
        ? `pawl run ${shellWord(plan)}`
        : `${plural(errors, "error")}; see: pawl plan check ${shellWord(plan)}`;
    return `  ${kind} ${paint.bold(plan)}: ${paint.plain(next)}`;
  };
  const lines = [
    ...plansFound.map(line("plan")),
    ...checklistsFound.slice(0, MOST_LISTS).map(line("checklist")),
  ];
  return [...plansFound, ...checklistsFound].every((plan) => errorsOf.has(plan))
    ? lines
    : [...lines, "Name an agent with --agent, or in pawl.toml; `pawl doctor` says which are here."];
}
