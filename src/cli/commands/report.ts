import { snakeCase } from "../../journal/index.ts";
import { defineCommand } from "../command.ts";
import { durationMs } from "../duration.ts";
import { markdownReport, terminalReport } from "../text/show-report.ts";

export const reportCommand = defineCommand({
  name: "report",
  more: `It only reads. It lists the steps completed since then, and the blocked steps that wait for a person now,
each with what its check or agent printed, the log, and the command that shows more. Time adds up all workers.`,
  operands: [],
  options: {
    since: { type: "text", value: "TIME", about: "How far back: 90m, 12h, 7d, 2w (24h)" },
    markdown: { type: "flag", about: "Print it as Markdown, for an issue or a message" },
  },
  examples: ["pawl report", "pawl report --since 7d --markdown"],
  async run(context, { since, markdown = false }) {
    const sinceMs = since === undefined ? undefined : durationMs(since, "--since");
    const answer = await (await context.pawl()).report({ sinceMs });
    return {
      data: snakeCase(answer),
      text: (paint) => (markdown ? markdownReport(answer, paint) : terminalReport(answer, paint).join("\n")),
    };
  },
});
