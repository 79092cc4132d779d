import { dollars, plural, roughTime, safeText } from "../../domain/index.ts";
import {
  type DoneStep,
  hasNews,
  type PlanReport,
  type ReportAnswer,
  type ReportSums,
} from "../../views/index.ts";
import { forPeople } from "./for-people.ts";
import { truncate } from "./layout.ts";
import type { Paint } from "./paint.ts";
import { paragraph } from "./paragraph.ts";
import { sizeText } from "./size-text.ts";
import { localTime } from "./times.ts";

/** `3 steps done, 1 blocked, 2 retries, 41 min of agent time, $3.10`. */
function sumsText({ stepsDone, stepsBlocked, retries, agentMs, usage }: ReportSums): string {
  return [
    `${plural(stepsDone, "step")} done`,
    `${stepsBlocked} blocked`,
    plural(retries, "retry", "retries"),
    `${roughTime(agentMs)} of agent time`,
    ...(usage?.costUsd == null ? [] : [dollars(usage.costUsd)]),
  ].join(", ");
}

const planText = ({ planPath, stepsCompleted, stepsTotal }: PlanReport): string =>
  `${planPath}: ${stepsCompleted}/${plural(stepsTotal, "step")}`;

const doneText = ({ commit, durationMs }: DoneStep): string =>
  [commit?.slice(0, 12) ?? "no commit", ...(durationMs === null ? [] : [roughTime(durationMs)])].join(", ");

type Blocked = PlanReport["blocked"][number];

const whyBlocked = ({ status, reason, note }: Blocked): string =>
  [
    reason === null ? status.replaceAll("_", " ") : reason.replaceAll("_", " "),
    ...(note === null ? [] : [note]),
  ].join(": ");

/** What a check printed says more than the last words of an agent. */
const evidenceOf = ({ failure, said }: Blocked): readonly string[] =>
  (failure !== null && failure.lines.length > 0 ? failure.lines : said).slice(-MOST_LINES);

const whereText = ({ failure }: Blocked): string | undefined =>
  failure === null
    ? undefined
    : `attempt ${failure.attempt}${failure.log === null ? "" : `, log ${failure.log}`}`;

const MOST_LINES = 5;

function diskText({ disk }: ReportAnswer): string {
  const { worktrees, worktreeBytes, logBytes, freeableBytes } = disk;
  const freeable = freeableBytes === 0 ? "" : `; \`pawl gc\` frees ${sizeText(freeableBytes)}`;
  return `${plural(worktrees, "worktree")} ${sizeText(worktreeBytes)}, logs ${sizeText(logBytes)}${freeable}`;
}

const unchangedText = (plans: readonly PlanReport[]): string =>
  `No change in ${plans.map(planText).join("; ")}.`;

const INDENT = "  blocked  ".length;

/** For a terminal. */
export function terminalReport(answer: ReportAnswer, paint: Paint): readonly string[] {
  const { since, plans, decisions, undiagnosed } = answer;
  const behind = (text: string, indent = INDENT) => paragraph(text, indent, paint.columns);
  const below = (text: string) =>
    `${" ".repeat(INDENT)}${paint.dim(truncate(text, Math.max(paint.columns - INDENT, 16)))}`;
  const quiet = plans.filter((plan) => !hasNews(plan));
  return [
    behind(`Since ${localTime(since)}: ${sumsText(answer)}`, 0),
    ...plans.filter(hasNews).flatMap((plan) => [
      "",
      `${paint.bold(plan.planPath)}  ${behind(`${plan.stepsCompleted}/${plural(plan.stepsTotal, "step")}; ${sumsText(plan)}`, 2)}`,
      ...plan.done.map((step) => {
        const end = doneText(step);
        const room = paint.columns - INDENT - step.anchor.length - end.length - 2;
        return `  ${paint.green("done")}     ${paint.bold(step.anchor)} ${truncate(step.title, Math.max(room, 16))} ${paint.dim(end)}`;
      }),
      ...plan.blocked.flatMap((step) => [
        `  ${paint.red("blocked")}  ${paint.bold(step.anchor)} ${behind(whyBlocked(step))}`,
        ...evidenceOf(step).map((line) => below(`| ${line}`)),
        ...[whereText(step) ?? []].flat().map((text) => `${" ".repeat(INDENT)}${paint.dim(text)}`),
        `${" ".repeat(INDENT)}${paint.bold(step.command)}`,
      ]),
    ]),
    ...(decisions.length === 0 ? [] : ["", paint.bold("Needs a person")]),
    ...decisions.flatMap(({ found, command }) => [
      `  ${behind(forPeople(found, Date.now()), 2)}`,
      `${" ".repeat(INDENT)}${paint.bold(command)}`,
    ]),
    "",
    ...(undiagnosed === null ? [] : [behind(`What needs a person is unknown: ${undiagnosed}`, 2)]),
    ...(quiet.length === 0 ? [] : [behind(unchangedText(quiet), 2)]),
    `Disk: ${behind(diskText(answer), 6)}`,
  ];
}

/** The same as Markdown, for an issue or a message. */
export function markdownReport(answer: ReportAnswer, { plain }: Pick<Paint, "plain">): string {
  const { since, plans, decisions, undiagnosed } = answer;
  const words = (text: string) => plain(safeText(text).replaceAll(/[\\`*_[\]<>|#]/g, "\\$&"));
  const quiet = plans.filter((plan) => !hasNews(plan));
  return [
    "# Pawl report",
    "",
    `Since ${localTime(since)}: ${words(sumsText(answer))}.`,
    ...plans
      .filter(hasNews)
      .flatMap((plan) => [
        "",
        `## ${words(planText(plan))}`,
        "",
        `${words(sumsText(plan))}.`,
        "",
        ...plan.done.map(
          (step) => `- [x] **${words(step.anchor)}** ${words(step.title)} (${words(doneText(step))})`,
        ),
        ...plan.blocked.flatMap((step) => [
          `- [ ] **${words(step.anchor)}** ${words(step.title)}: ${words(whyBlocked(step))}`,
          ...fenced(evidenceOf(step), plain),
          ...[whereText(step) ?? []].flat().map((text) => `  ${words(text)}.`),
          `  Next: \`${plain(step.command)}\``,
        ]),
      ]),
    ...(decisions.length === 0 ? [] : ["", "## Needs a person", ""]),
    ...decisions.map(
      ({ found, command }) => `- ${words(forPeople(found, Date.now()))} Next: \`${plain(command)}\``,
    ),
    "",
    ...(undiagnosed === null ? [] : [`What needs a person is unknown: ${words(undiagnosed)}`, ""]),
    ...(quiet.length === 0 ? [] : [words(unchangedText(quiet)), ""]),
    `Disk: ${plain(diskText(answer))}.`,
  ].join("\n");
}

/** Output as it was printed, inside the item of a list; the fence is longer than any that the output has. */
function fenced(lines: readonly string[], plain: Paint["plain"]): readonly string[] {
  if (lines.length === 0) return [];
  const longest = Math.max(
    2,
    ...lines.flatMap((line) => (line.match(/`+/g) ?? []).map(({ length }) => length)),
  );
  const fence = "`".repeat(longest + 1);
  return ["", `  ${fence}text`, ...lines.map((line) => `  ${plain(line)}`), `  ${fence}`, ""];
}
