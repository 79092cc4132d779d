import { dollars, EXIT_CODES, plural, shellWord, usageText } from "../domain/index.ts";
import { NO_CHECK } from "../steps/index.ts";
import type { RunAnswer } from "../runs/index.ts";
import type { StopSignal } from "../platform/ports/index.ts";
import { BY_SIGNAL } from "./by-signal.ts";
import type { CommandOutcome } from "./command.ts";
import { localTime, localTimes } from "./text/times.ts";
import { mergeLines, reviewLines } from "./text/show-build.ts";
import { shortNameColumn } from "./text/name-column.ts";
import { displayWidth, truncate } from "./text/layout.ts";
import type { Paint } from "./text/paint.ts";
import { paragraph } from "./text/paragraph.ts";
import { snakeCase } from "../journal/index.ts";

/** Why steps wait for a person. */
const FOR_PEOPLE: ReadonlySet<string> = new Set(["blocked", "on_hold", "edited"]);

/** Exit codes are a contract: 0 done, 5 a person must decide, 6 nothing to do now, by signal otherwise. */
function runExitCode({ ended, signal, blocked, waiting }: RunAnswer): number {
  if (ended === "interrupted") return BY_SIGNAL[(signal ?? "SIGTERM") as StopSignal];
  if (ended === "paused" || ended === "halted" || ended === "full_failed") return 5;
  if (ended === "taken_over") return EXIT_CODES.conflict;
  if (blocked.length > 0 || waiting.some(({ reason }) => FOR_PEOPLE.has(reason))) return 5;
  return ended === "stuck" ? 6 : 0;
}

export const runOutcome = (answer: RunAnswer): CommandOutcome => ({
  data: snakeCase(answer),
  text: (paint) => runText(answer, paint),
  exitCode: runExitCode(answer),
});

const HEADINGS: Readonly<Record<RunAnswer["ended"], string>> = {
  all_completed: "All steps are completed",
  stuck: "No step can be claimed now",
  enough: "Stopped after as many steps as --max-steps allows",
  interrupted: "Interrupted",
  paused: "Paused",
  halted: "Stopped claiming steps",
  taken_over: "Taken over",
  full_failed: "The full check fails on what has landed",
  failed: "Stopped by an error",
  reviewed: "What was built so far",
  merged: "Merged the build that was there; no step was run",
};

const LOOKS: Readonly<Partial<Record<RunAnswer["ended"], "green" | "red">>> = {
  all_completed: "green",
  merged: "green",
  full_failed: "red",
  failed: "red",
};

const INDENT = "  blocked  ".length;

function headingOf({ enough, ended, waiting }: RunAnswer, isEdited: boolean): string {
  if (enough) return `Stopped after ${plural(enough.maxSteps, "step")} (--max-steps ${enough.maxSteps})`;
  return isEdited
    ? `${plural(waiting.length, "step waits", "steps wait")} for a decision about an edit; all others are completed`
    : HEADINGS[ended];
}

function runText(answer: RunAnswer, paint: Paint): string {
  const { ended, completed, blocked, waiting, resumeWith, pausedUntil, because, branch, warnings } = answer;
  const by =
    answer.signal === null || ended !== "interrupted"
      ? ""
      : ` by ${answer.signal}; ${resumeWith === null ? "all steps are completed" : "the agents were stopped, their work is kept"}`;
  const isOver = ended === "all_completed" && waiting.length === 0;
  const isOld = isOver && completed.length === 0 && answer.planPath !== null;
  const isEdited = ended === "all_completed" && !isOver;
  const words = `${headingOf(answer, isEdited)}${by}.${isOld ? ` ${answer.planPath} is done, and nothing was left to run.` : ""}`;
  const look = isEdited ? undefined : LOOKS[ended];
  const heading = (look ? paint[look] : paint.yellow)(words);
  const inColumn = shortNameColumn(
    [...completed, ...blocked, ...waiting, ...(answer.offered ?? [])],
    paint.columns,
  );
  const name = (anchor: string) => paint.bold(inColumn(anchor));
  // Below the words it begins with, where it does not fit the line.
  const behind = (text: string, before = "") =>
    paragraph(text, INDENT + (before === "" ? 0 : displayWidth(before) + 1), paint.columns);
  const blockedNow = new Set(blocked.map(({ anchor }) => anchor));
  return [
    heading,
    ...(answer.review ? reviewLines(answer.review, paint) : []),
    ...(answer.merge ? mergeLines(answer.merge, paint) : []),
    ...completed.map(({ anchor, title, commit, durationMs, usage }) => {
      const cost = usage?.costUsd == null ? "" : ` ${dollars(usage.costUsd)}`;
      const end = `${commit.slice(0, 12)} ${seconds(durationMs)}${cost}`;
      const room = paint.columns - INDENT - displayWidth(inColumn(anchor)) - end.length - 2;
      return `  ${paint.green("done")}     ${name(anchor)} ${truncate(title, Math.max(room, 16))} ${paint.dim(end)}`;
    }),
    ...blocked.flatMap(({ anchor, note, said = [], output = [], log, refused = [] }) => [
      `  ${paint.red("blocked")}  ${name(anchor)} ${behind(note, inColumn(anchor))}`,
      ...refused.map((what) => `           ${paint.dim(`refused: ${what}`)}`),
      ...(output.length > 0 ? output : said).map((line) => `           ${paint.dim(`| ${line}`)}`),
      // Whole, however narrow the terminal is: it is copied.
      ...(log === undefined ? [] : [`           ${paint.dim(`log ${log}`)}`]),
    ]),
    ...waiting
      .filter(({ anchor }) => !blockedNow.has(anchor))
      .slice(0, 20)
      .map(
        (step) =>
          `  ${paint.yellow("waits")}    ${name(step.anchor)} ${behind(whyItWaits(step), inColumn(step.anchor))}`,
      ),
    ...(answer.offered ?? []).map(
      ({ anchor, title }) => `  optional ${name(anchor)} ${behind(title, inColumn(anchor))}`,
    ),
    ...(because === null ? [] : [`  because  ${behind(because)}`]),
    ...(pausedUntil === null ? [] : [`  until    ${paint.plain(localTime(pausedUntil))}`]),
    ...(answer.notVerified === null ? [] : [notVerifiedLine(answer.notVerified, paint)]),
    ...warnings.map((warning) => `  ${paint.yellow("warning")}  ${behind(localTimes(warning))}`),
    ...(branch === null || answer.runId === ""
      ? []
      : [`  branch   ${paint.plain(branch)}, after ${seconds(answer.durationMs)}`]),
    ...(answer.usage === null ? [] : [`  used     ${behind(usageText(answer.usage))}`]),
    ...(resumeWith === null ? [] : [`resume with: ${paint.bold(resumeWith)}`]),
    ...nextFor(answer).map((command) => `next: ${paint.bold(command)}`),
  ].join("\n");
}

const notVerifiedLine = (because: string, paint: Paint): string =>
  `  ${paragraph(`not verified: ${because}${because === NO_CHECK ? "; set [verify] command in pawl.toml" : ""}`, 2, paint.columns, paint.yellow)}`;

function whyItWaits({ reason, blockedBy, note }: RunAnswer["waiting"][number]): string {
  if (blockedBy.length > 0) return `for ${blockedBy.join(", ")}`;
  return `${reason.replaceAll("_", " ")}${note === null ? "" : `: ${note}`}`;
}

/** What people do after a run that ended by itself. */
function nextFor({
  ended,
  completed,
  blocked,
  waiting,
  planPath,
  toMerge,
  culprit,
  enough,
}: RunAnswer): readonly string[] {
  if (planPath === null || ended === "paused" || (ended === "interrupted" && !toMerge)) return [];
  const plan = shellWord(planPath);
  if (ended === "full_failed")
    return [
      ...(culprit?.anchor === undefined ? [] : [`pawl explain ${plan} ${shellWord(culprit.anchor)}`]),
      "pawl recover",
    ];
  const stopped = blocked[0] ?? waiting.find(({ reason }) => FOR_PEOPLE.has(reason));
  if (stopped) return [`pawl explain ${plan} ${shellWord(stopped.anchor)}`];
  if (toMerge) return [`pawl worktree merge ${plan}`];
  if (enough) return [enough.continueWith];
  return ended === "all_completed" && completed.length === 0 ? ["pawl worktree clean --merged"] : [];
}

const seconds = (ms: number): string =>
  ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
