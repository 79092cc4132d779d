import { shellWord } from "../../domain/shell-word.ts";
import { refuseInSession } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { snakeCase } from "../snake-case.ts";
import { nearPath } from "../text/holder.ts";

/** Enough to show that boxes will do; in a large repository many files have some. */
const MOST_LISTS = 5;

export const init = defineCommand({
  name: "init",
  about: "Prepare a repository: make the database and pawl.toml, say which plans are there",
  operands: [],
  options: {},
  examples: ["pawl init"],
  async run(context) {
    refuseInSession(context, "init");
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
        const { plansFound, checklistsFound } = answer;
        if (plansFound.length + checklistsFound.length === 0)
          lines.push("No plans found. Write one with: pawl plan new plan");
        for (const plan of plansFound)
          lines.push(`  plan ${paint.bold(plan)}: pawl run ${paint.plain(shellWord(plan))}`);
        for (const list of checklistsFound.slice(0, MOST_LISTS))
          lines.push(`  checklist ${paint.bold(list)}: pawl run ${paint.plain(shellWord(list))}`);
        if (plansFound.length + checklistsFound.length > 0)
          lines.push("Name an agent with --agent, or in pawl.toml; `pawl doctor` says which are here.");
        return lines.join("\n");
      },
    };
  },
});
