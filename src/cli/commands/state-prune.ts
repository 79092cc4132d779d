import { shellWord } from "../../domain/index.ts";
import { defineCommand } from "../command.ts";
import { snakeCase } from "../../journal/index.ts";

export const statePruneCommand = defineCommand({
  name: "state prune",
  more: "For people. Pawl saves each to a file first; `pawl state restore` restores it. The journal stays.",
  operands: [],
  options: { "dry-run": { type: "flag", about: "Say what would be removed, and remove nothing" } },
  examples: ["pawl state prune --dry-run", "pawl state prune"],
  async run(context, { "dry-run": dryRun = false }) {
    const answer = await (await context.pawl()).prune({ dryRun });
    return {
      data: snakeCase(answer),
      text: (paint) => {
        const lines = answer.pruned.map(({ planPath, savedTo }) =>
          savedTo === null
            ? `Would remove ${paint.bold(planPath)}`
            : `Removed ${paint.bold(planPath)}; restore it with: pawl state restore ${paint.plain(shellWord(savedTo))}`,
        );
        for (const plan of answer.inUse) lines.push(`Kept ${paint.bold(plan)}: workers hold its steps`);
        return lines.length === 0 ? "Nothing to prune: every plan has its file." : lines.join("\n");
      },
    };
  },
});
