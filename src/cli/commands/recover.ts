import { Failure } from "../../domain/errors.ts";
import { plural } from "../../domain/plural.ts";
import type { Repaired } from "../../flow/recover/recover.ts";
import type { FindingView } from "../../flow/recover/subject.ts";
import { refuseInSession } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { BY_SIGNAL } from "../run-outcome.ts";
import { snakeCase } from "../snake-case.ts";
import { localTimes } from "../text/local-time.ts";
import type { Paint } from "../text/paint.ts";
import { paragraph } from "../text/paragraph.ts";
import { asking, howToAnswer } from "../text/show-findings.ts";
import { runLines } from "../text/run-lines.ts";

export const recover = defineCommand({
  name: "recover",
  about: "Find what a crash has left, repair what can be proven, ask about the rest",
  more: `Looks at plans, sessions, worktrees and commits. What is proven, or loses nothing, is repaired by itself; where a
person must decide, it asks for a key at a terminal, and elsewhere exits with 5 and says how to answer. Everything is in
the journal before it is done. docs/recovery-rules.md lists what it recognises.`,
  operands: [{ name: "plan", about: "Only this plan; everything when left out", required: false }],
  options: {
    auto: { type: "flag", about: "Repair what needs no decision, and ask nothing" },
    "dry-run": { type: "flag", about: "Say what would be done, and do nothing" },
    answer: {
      type: "text",
      many: true,
      value: "RULE:SUBJECT=KEY",
      about: "Answer in advance; `*` stands for every subject of a rule",
    },
    only: { type: "flag", about: "Do what --answer says and nothing else; refuse when it is found no more" },
  },
  examples: ["pawl recover", "pawl recover --auto --json", "pawl recover --answer agent-timed-out:step-3=R"],
  async run(context, values, [plan]) {
    refuseInSession(context, "recover");
    if (values.only && (values.answer ?? []).length === 0)
      throw new Failure("usage/wrong", "--only says that nothing but the answers counts: give --answer.", {});
    const { progress, cwd } = context;
    const lineFor = runLines(cwd);
    const interruption = context.interruption();
    const isTold = progress.mode === "lines" || progress.mode === "live";
    // A pipe gets a line for each; a terminal would break it inside a word.
    const columns = progress.mode === "live" ? progress.columns() : Number.POSITIVE_INFINITY;
    const tell = (text: string) => progress.line(paragraph(text, 2, columns));
    const answer = await (
      await context.pawl()
    ).recover({
      plan,
      dryRun: values["dry-run"],
      answers: values.answer,
      onlyAnswered: values.only,
      ask: values.auto || values.only || values["dry-run"] ? undefined : asking(context.ask),
      ...(isTold ? { tell, onEvent: (event) => tell(lineFor(event)) } : {}),
      interruption,
    });
    const failed = answer.repaired.some(({ done }) => !done);
    const signal = interruption.signal();
    return {
      data: snakeCase({ ...answer }),
      exitCode: signal ? BY_SIGNAL[signal] : answer.open.length > 0 ? 5 : failed ? 1 : 0,
      text: (paint) => recoverText(answer.findings, answer.repaired, answer.open, paint),
    };
  },
});

function recoverText(
  findings: readonly FindingView[],
  repaired: readonly Repaired[],
  open: readonly FindingView[],
  paint: Paint,
): string {
  const isOpen = new Set(open.map(nameOf));
  const isDone = new Set(repaired.map(nameOf));
  const told = findings.filter((finding) => !isOpen.has(nameOf(finding)) && !isDone.has(nameOf(finding)));
  return [
    ...repaired.map(({ subject, repair, outcome, done }) =>
      [
        done ? paint.green("done  ") : paint.red("failed"),
        paint.bold(subject),
        paint.plain(`${repair}: ${outcome}`),
      ].join(" "),
    ),
    ...told.map(({ found, automatic }) =>
      [
        automatic ? paint.green("would ") : paint.yellow("note  "),
        paragraph(
          localTimes(automatic ? `${found} ${automatic.repair}: ${automatic.because}` : found),
          7,
          paint.columns,
        ),
      ].join(" "),
    ),
    ...open.flatMap((finding) => [
      `${paint.yellow("decide")} ${paragraph(localTimes(finding.found), 7, paint.columns)}`,
      ...howToAnswer(finding).map((line) => `       ${paint.plain(line)}`),
    ]),
    summary(findings, open, paint),
  ].join("\n");
}

const nameOf = ({ rule, subject }: { readonly rule: string; readonly subject: string }): string =>
  `${rule}:${subject}`;

function summary(findings: readonly FindingView[], open: readonly FindingView[], paint: Paint): string {
  if (findings.length === 0) return paint.green("Nothing to recover.");
  return open.length === 0
    ? `${plural(findings.length, "finding")}, nothing left to decide.`
    : `${plural(findings.length, "finding")}, ${plural(open.length, "decision")} left.`;
}
