import { shellWord } from "../../domain/index.ts";
import { resolve } from "node:path";
import { defineCommand } from "../command.ts";
import { snakeCase } from "../../journal/index.ts";

export const stateRestoreCommand = defineCommand({
  name: "state restore",
  more: "For people. Pawl saves the current state first. Steps that workers held become pending.",
  operands: [{ name: "file", about: "The file, as the command that saved it printed it", required: true }],
  options: {},
  examples: ["pawl state restore .git/pawl/saved/plan.md-2026-11-15T183300000Z-1a2b3c4d.json"],
  async run(context, _values, [file = ""]) {
    const answer = await (await context.pawl()).restore({ path: resolve(context.cwd, file) });
    return {
      data: snakeCase(answer),
      text: (paint) => {
        const line = `${paint.green("Restored")} ${paint.bold(answer.planPath)} with ${answer.stepCount} steps.`;
        return answer.savedTo === null
          ? line
          : `${line}\nWhat was there before: pawl state restore ${paint.plain(shellWord(answer.savedTo))}`;
      },
    };
  },
});
