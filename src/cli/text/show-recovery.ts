import { plural, sessionName, shellWord } from "../../domain/index.ts";
import {
  type FindingView,
  mattersIn,
  type RecoverAnswer,
  type Repaired,
  type RepairStage,
} from "../../recovery/index.ts";
import { type RepairName, REPAIRS } from "../../recovery/rules/index.ts";
import type { RunEvent } from "../../runs/index.ts";
import type { StoppedStep } from "../../views/index.ts";
import type { Progress } from "../context.ts";
import { forPeople } from "./for-people.ts";
import type { Paint } from "./paint.ts";
import { paragraph } from "./paragraph.ts";
import { evidenceLines } from "./agent-words.ts";
import type { LineFor } from "./run-lines.ts";
import { forAll, howToAnswer } from "./show-findings.ts";

/** What takes minutes, so that a person who waits sees that it began. Everything else is over before it is read. */
const LONG: ReadonlySet<string> = new Set(["verify", "verify-here", "resume", "break-down"]);

/** What says nothing new to a person who watches the repairs. */
const QUIET: ReadonlySet<string> = new Set(["plan", "session"]);

interface Teller {
  readonly tell: (text: string, told: RepairStage) => void;
  readonly onEvent: (event: RunEvent) => void;
}

/**
 * Tells what happens on the way.
 *
 * At a terminal only what takes long, because the answer follows at once and has it all; a pipe gets a line for each,
 * as a log should.
 */
export function tellerOf(progress: Progress, lineFor: LineFor, now: () => number): Teller | undefined {
  if (progress.mode === "lines")
    return {
      tell: (text) => progress.line(paragraph(text, 2, Number.POSITIVE_INFINITY)),
      onEvent: (event) => progress.line(paragraph(lineFor(event), 2, Number.POSITIVE_INFINITY)),
    };
  if (progress.mode !== "live") return undefined;
  const show = (text: string, indent: number) =>
    progress.line(`${" ".repeat(indent)}${paragraph(forPeople(text, now()), indent, progress.columns())}`);
  return {
    tell(_, { stage, found, repair, isChosen }) {
      if (stage === "begins" && LONG.has(repair) && !isChosen) show(found, 0);
    },
    onEvent(event) {
      const line = lineFor(event);
      if (!QUIET.has(event.event)) show(event.event === "command" ? `${line} …` : line, 2);
    },
  };
}

const INDENT = 7;
/** Of what agents left; `pawl explain` has more. */
const MOST_WORDS = 3;

export function recoveryText(
  { findings, repaired, open }: RecoverAnswer,
  paint: Paint,
  nowMs: number,
  stopped: readonly StoppedStep[] = [],
): string {
  const failureOf = ({ planPath, anchor }: FindingView) =>
    stopped.find((one) => one.planPath === planPath && one.anchor === anchor)?.failure;
  const questions = mattersIn(open);
  const isOpen = new Set(open.map(nameOf));
  const isDone = new Set(repaired.map(nameOf));
  const told = findings.filter((finding) => !isOpen.has(nameOf(finding)) && !isDone.has(nameOf(finding)));
  const short = shortSubjects([...findings, ...repaired].map(({ subject }) => subject));
  const line = (mark: string, text: string) =>
    `${mark} ${paragraph(forPeople(text, nowMs), INDENT, paint.columns)}`;
  const whyNot = ({ hint }: Repaired, finding: FindingView | undefined): readonly string[] => [
    ...(finding
      ? evidenceLines(finding, failureOf(finding), { paint, indent: INDENT, most: MOST_WORDS })
      : []),
    ...(hint ? [`${" ".repeat(INDENT)}${paragraph(hint, INDENT, paint.columns)}`] : []),
  ];
  const automatic = new Map(
    findings.flatMap((finding) => (finding.automatic ? [[nameOf(finding), finding] as const] : [])),
  );
  return [
    ...repairedTogether(repaired, findings).flatMap(({ found, repairs: [one, ...others] }) => {
      const finding = automatic.get(nameOf(one));
      const own = finding && { ...finding, found: found ?? finding.found };
      const outcomes = [...new Set([one, ...others].map(({ outcome }) => outcome))].join("; ");
      const isRepaired = [one, ...others].every(({ done }) => done);
      return [
        line(
          isRepaired ? paint.green("done  ") : paint.red("failed"),
          repairedText({ ...one, outcome: outcomes }, own, short, nowMs),
        ),
        ...(isRepaired
          ? []
          : whyNot(
              one,
              findings.find((each) => nameOf(each) === nameOf(one)),
            )),
      ];
    }),
    ...mattersIn(told).flatMap(({ found, findings: [finding] }) => {
      const { automatic: repair } = finding;
      return repair
        ? [line(paint.green("repair"), `${found} ${labelOf(repair.repair)}: ${repair.because}.`)]
        : [line(paint.yellow("note  "), found), ...lookAtOne(finding, paint)];
    }),
    ...questions.flatMap(({ found, findings: [first, ...others] }) => [
      line(paint.yellow("decide"), found),
      ...evidenceLines(first, failureOf(first), { paint, indent: INDENT, most: MOST_WORDS }),
      ...(first.choices.length > 0 ? answersTo(first, others, short, paint) : lookAtOne(first, paint)),
    ]),
    summary(mattersIn(findings).length, questions.length, repaired.filter(({ done }) => !done).length, paint),
  ].join("\n");
}

interface RepairedTogether {
  /** What was found about the whole run; undefined where it is about one worker, or nothing was found by itself. */
  readonly found: string | undefined;
  readonly repairs: readonly [Repaired, ...Repaired[]];
}

/** What was done about all workers of one run, once. */
function repairedTogether(
  repaired: readonly Repaired[],
  findings: readonly FindingView[],
): readonly RepairedTogether[] {
  const matterOf = new Map(
    mattersIn(findings.filter(({ automatic }) => automatic !== null)).flatMap((matter) =>
      matter.findings.map((finding) => [nameOf(finding), matter] as const),
    ),
  );
  const groups = new Map<unknown, [Repaired, ...Repaired[]]>();
  for (const one of repaired) {
    const matter = matterOf.get(nameOf(one));
    const isOwn = matter?.findings[0].automatic?.repair === one.repair;
    const key = matter && isOwn ? `${nameOf(matter.findings[0])} ${one.done}` : one;
    const known = groups.get(key);
    if (known) known.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()].map((repairs) => ({
    repairs,
    found: repairs.length > 1 ? matterOf.get(nameOf(repairs[0]))?.found : undefined,
  }));
}

/** Under the name of the run where it is about several of its workers; each can be answered by its own name as well. */
function answersTo(
  first: FindingView,
  others: readonly FindingView[],
  short: (subject: string) => string,
  paint: Paint,
): readonly string[] {
  const { runId } = first;
  const isShared = others.length > 0 && runId !== null;
  const subject = isShared ? sessionName(runId) : short(first.subject);
  const ways = howToAnswer(first, subject, paint.columns - INDENT);
  return [...(isShared ? [forAll(others.length + 1)] : []), ...ways].map(
    (way) => `${" ".repeat(INDENT)}${paint.plain(way)}`,
  );
}

/** Where nothing is to be chosen, it is said where the choices of a person stand. */
const lookAt = (plan: string, anchor: string, paint: Paint): string =>
  `${" ".repeat(INDENT)}${paint.dim(`pawl explain ${shellWord(plan)} ${shellWord(anchor)}`)}`;

const lookAtOne = ({ planPath, anchor }: FindingView, paint: Paint): readonly string[] =>
  planPath === null || anchor === null ? [] : [lookAt(planPath, anchor, paint)];

/** A repair without a question is reported with what was found; a person who was asked has just read it. */
function repairedText(
  { repair, outcome, subject }: Repaired,
  finding: FindingView | undefined,
  short: (subject: string) => string,
  nowMs: number,
): string {
  const end = forPeople(outcome, nowMs);
  if (finding?.automatic?.repair !== repair) return `${short(subject)}: ${end}`;
  return `${finding.found} ${end.charAt(0).toUpperCase()}${end.slice(1)}`;
}

/** What a repair does, without the key that a person presses for it. */
const labelOf = (repair: string): string => REPAIRS[repair as RepairName].label.replace(/^\[.\] /, "");

const nameOf = ({ rule, subject }: { readonly rule: string; readonly subject: string }): string =>
  `${rule}:${subject}`;

/** The shortest names that `--answer` takes and that mean one thing here: a step without its plan, a session's first letters. */
function shortSubjects(subjects: readonly string[]): (subject: string) => string {
  const meant = new Map<string, Set<string>>();
  for (const subject of subjects) {
    const short = shortOf(subject);
    meant.set(short, (meant.get(short) ?? new Set()).add(subject));
  }
  return (subject) => (meant.get(shortOf(subject))?.size === 1 ? shortOf(subject) : subject);
}

const shortOf = (subject: string): string =>
  /^s-[0-9a-f]{8}-/.test(subject) ? sessionName(subject) : (/^[^#]+#([^#]+)$/.exec(subject)?.[1] ?? subject);

function summary(findings: number, questions: number, failed: number, paint: Paint): string {
  if (findings === 0) return paint.green("Nothing to recover.");
  const left = [
    ...(failed === 0 ? [] : [`${plural(failed, "repair")} failed`]),
    ...(questions === 0 ? [] : [`${plural(questions, "decision")} left`]),
  ];
  return `${[plural(findings, "finding"), ...(left.length === 0 ? ["nothing left to decide"] : left)].join(", ")}.`;
}
