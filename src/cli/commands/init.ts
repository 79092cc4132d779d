import { shellWord } from "../../domain/shell-word.ts";
import { refuseInSession } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { snakeCase } from "../snake-case.ts";

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
          `${answer.created ? paint.green("Made") : "Found"} the database ${paint.plain(answer.database)}.`,
        ];
        if (answer.settingsCreated)
          lines.push(
            `${paint.green("Wrote")} ${paint.plain(answer.settingsFile)}; every setting in it is a comment.`,
          );
        if (answer.plansFound.length === 0)
          lines.push("No plans found. Write one with: pawl plan new <name>");
        for (const plan of answer.plansFound)
          lines.push(`  plan ${paint.bold(plan)}: pawl state init ${paint.plain(shellWord(plan))}`);
        return lines.join("\n");
      },
    };
  },
});
