import { sessionName } from "../../domain/index.ts";
import { defineCommand } from "../command.ts";
import { durationMs } from "../duration.ts";
import { snakeCase } from "../../journal/index.ts";

export const sessionsCleanCommand = defineCommand({
  name: "sessions clean",
  operands: [],
  options: {
    "older-than": { type: "text", value: "TIME", about: "Interrupted longer ago than this (7d)" },
    "dry-run": { type: "flag", about: "Print what would be done, and do nothing" },
  },
  examples: ["pawl sessions clean --older-than 14d --dry-run"],
  async run(context, values) {
    const olderThan = values["older-than"];
    const answer = await (
      await context.pawl()
    ).cleanSessions({
      olderThanMs: olderThan === undefined ? undefined : durationMs(olderThan, "--older-than"),
      dryRun: values["dry-run"],
    });
    const verb = answer.dryRun ? "Would abandon" : "Abandoned";
    return {
      data: snakeCase(answer),
      text: (paint) =>
        [
          ...answer.abandoned.map((id) => `${verb} ${paint.bold(sessionName(id))}.`),
          ...answer.kept.map(
            ({ id, because }) => `Kept ${paint.bold(sessionName(id))}: ${paint.plain(because)}.`,
          ),
          ...(answer.abandoned.length + answer.kept.length === 0 ? ["No session is interrupted."] : []),
        ].join("\n"),
    };
  },
});
