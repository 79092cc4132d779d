import { Failure } from "../../domain/index.ts";
import { defineCommand } from "../command.ts";
import { BY_SIGNAL } from "../by-signal.ts";
import { runLines } from "../text/run-lines.ts";
import { asking } from "../text/show-findings.ts";
import { sessionText } from "../text/show-session.ts";
import { recoveryText, tellerOf } from "../text/show-recovery.ts";
import { snakeCase } from "../../journal/index.ts";

export const recoverCommand = defineCommand({
  name: "recover",
  more: `Checks plans, sessions, worktrees and commits. It repairs what is proven or loses nothing. Where a person
must decide, it asks for a key at a terminal, and elsewhere exits with 5 and prints how to answer. It records each
repair in the journal before it does it. docs/recovery-rules.md lists what it recognises.`,
  operands: [{ name: "plan", about: "Only this plan; everything when left out", required: false }],
  options: {
    auto: { type: "flag", about: "Repair what needs no decision, and ask nothing" },
    "dry-run": { type: "flag", about: "Print what would be done, and do nothing" },
    answer: {
      type: "text",
      many: true,
      value: "RULE:SUBJECT=KEY",
      about: "Answer in advance; `*` stands for every subject of a rule",
    },
    agent: {
      type: "text",
      value: "NAME",
      about: "The agent that verifies and plans (the one that did the step)",
    },
    only: { type: "flag", about: "Do only what --answer says; refuse if its finding is gone" },
  },
  examples: ["pawl recover", "pawl recover --auto --json", "pawl recover --answer agent-timed-out:step-3=R"],
  async run(context, values, [plan]) {
    if (values.only && (values.answer ?? []).length === 0)
      throw new Failure("usage/wrong", "--only says that nothing but the answers counts: give --answer.", {});
    const interruption = context.interruption();
    const pawl = await context.pawl();
    const answer = await pawl.recover({
      plan,
      dryRun: values["dry-run"],
      answers: values.answer,
      onlyAnswered: values.only,
      agent: values.agent,
      ask: values.auto || values.only || values["dry-run"] ? undefined : asking(context),
      ...tellerOf(context.progress, runLines(context.cwd), Date.now),
      interruption,
    });
    const shown = await Promise.all(
      answer.repaired
        .filter(({ repair }) => repair === "show")
        .map(({ subject: id }) => pawl.showSession({ id })),
    );
    const stopped = await pawl.stoppedSteps();
    const failed = answer.repaired.some(({ done }) => !done);
    const signal = interruption.signal();
    return {
      data: snakeCase({ ...answer, shown }),
      exitCode: signal ? BY_SIGNAL[signal] : answer.open.length > 0 ? 5 : failed ? 1 : 0,
      text: (paint) =>
        [
          ...shown.map((session) => `${sessionText(session, paint, Date.now())}\n`),
          recoveryText(answer, paint, Date.now(), stopped),
        ].join("\n"),
    };
  },
});
