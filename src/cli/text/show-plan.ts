import { stoppedWords } from "../../sessions/index.ts";
import {
  doneElsewhere,
  OPTIONAL,
  plural,
  reasonWords,
  safeText,
  sessionName,
  SUBSTEP_ON_HOLD,
  usageText,
} from "../../domain/index.ts";
import type { PlanView, StepView } from "../../steps/index.ts";
import { holderText } from "./holder.ts";
import { bar, displayWidth, truncate, wrap } from "./layout.ts";
import type { Paint } from "./paint.ts";
import { timeLeft } from "./time-left.ts";

/** A plan for people: a header, one block per step with a bar per kind of item, substeps indented, totals last. */
export function showPlan(plan: PlanView, cwd: string, paint: Paint): string {
  const heading = plan.phaseTitle === null ? [] : [paint.plain(truncate(plan.phaseTitle, paint.columns))];
  const header = [
    `${paint.bold(plan.planPath)}  ${plan.status === "done" ? paint.green("done") : paint.cyan("active")}`,
    ...heading,
  ];
  const steps = plan.steps.flatMap((step) => ["", ...stepLines(step, { indent: "", cwd }, paint)]);
  return [...header, ...steps, "", totals(plan, paint)].join("\n");
}

/** In fewer columns a title says too little. */
const LEAST_TITLE = 30;

interface Setting {
  readonly indent: string;
  readonly cwd: string;
}

function stepLines(step: StepView, { indent, cwd }: Setting, paint: Paint): readonly string[] {
  const [mark, tint] = MARKS[step.status];
  const inner = `${indent}    `;
  const name = `${indent}${paint[tint](mark)} ${paint.bold(step.anchor)}`;
  const room = paint.columns - inner.length - displayWidth(step.anchor) - 2;
  // Names stay whole, because people copy them from here; a title has its own line where a long one takes the room.
  const title =
    room < LEAST_TITLE
      ? [name, `${inner}${paint.plain(truncate(step.title, paint.columns - inner.length))}`]
      : [`${name}  ${paint.plain(truncate(step.title, room))}`];
  const width = Math.max(paint.columns - inner.length, 30);
  const notes = notesOf(step, cwd).flatMap(([colour, text]) =>
    noteLines(text, width).map((line) => `${inner}${paint[colour](line)}`),
  );
  const bars = KINDS.filter(([, key]) => step.checklist[`${key}Total`] > 0).map(([label, key]) => {
    const { [`${key}Completed` as const]: done, [`${key}Total` as const]: total } = step.checklist;
    return `${inner}${barLine(label, done, total, paint.columns - inner.length, paint)}`;
  });
  return [
    ...title,
    ...notes,
    ...bars,
    ...step.substeps.flatMap((substep) => stepLines(substep, { indent: `${indent}  `, cwd }, paint)),
  ];
}

/** What matters most may stand last, such as how long a lease holds; but a reason may be a page long. */
const MOST_LINES = 3;

const noteLines = (text: string, width: number): readonly string[] => {
  const lines = wrap(safeText(text), width);
  if (lines.length <= MOST_LINES) return lines;
  const rest = lines.slice(MOST_LINES - 1).join(" ");
  return [...lines.slice(0, MOST_LINES - 1), truncate(rest, width)];
};

const KINDS = [
  ["Tasks:", "tasks"],
  ["Tests:", "tests"],
  ["Checkpoints:", "checkpoints"],
] as const;

const BAR_WIDTH = 20;

function barLine(label: string, done: number, total: number, room: number, paint: Paint): string {
  const percent = `${percentOf(done, total)}%`;
  const counts = `${label.padEnd(13)}${`${done}/${total}`.padStart(7)}  ${percent.padStart(4)}`;
  const drawn = bar(done, total, BAR_WIDTH);
  // The counts say the same; a bar that the terminal breaks in two says less.
  if (counts.length + 2 + drawn.length > room) return counts;
  return `${counts}  ${done === total ? paint.green(drawn) : paint.plain(drawn)}`;
}

type Tint = "green" | "yellow" | "red" | "cyan" | "dim" | "plain" | "blue";

/** One sign per status that also reads without colour. */
const MARKS: Readonly<Record<StepView["status"], readonly [string, Tint]>> = {
  pending: ["[ ]", "dim"],
  claimed: ["[>]", "blue"],
  in_progress: ["[>]", "blue"],
  awaiting_verification: ["[?]", "cyan"],
  completed: ["[x]", "green"],
  blocked: ["[!]", "red"],
  on_hold: ["[=]", "yellow"],
};

const isOffered = ({ status, blockReason }: StepView): boolean =>
  status === "on_hold" && blockReason === OPTIONAL;

/** The note of a step that is on hold for a substep says so. */
function stoppedText({ status, blockReason, blockNote }: StepView): string {
  const why = blockReason === null || blockReason === SUBSTEP_ON_HOLD ? "" : ` (${reasonWords(blockReason)})`;
  return `${status.replace("_", " ")}${why}${blockNote === null ? "" : `: ${blockNote}`}`;
}

function notesOf(step: StepView, cwd: string): readonly (readonly [Tint, string])[] {
  const notes: [Tint, string][] = [];
  if (step.leaseExpiresAt !== null && step.parentAnchor === null) {
    const status = step.status.replace("_", " ");
    const where = holderText(step.claimedBy, step.otherHost, cwd);
    const who = step.sessionId === null ? where : `${where} (${sessionName(step.sessionId)})`;
    const held = `${status} by ${who}, claim ${step.claim}`;
    if (step.stopped !== null) notes.push(["yellow", `${held}; its runner is ${stoppedWords(step.stopped)}`]);
    else
      notes.push(
        step.ownerGone && step.sessionId !== null
          ? ["yellow", `${held}; that session is gone, and the next claim may take it`]
          : [step.leaseExpired ? "yellow" : "dim", `${held}, lease ${timeLeft(step.leaseExpiresAt)}`],
      );
  } else if (isOffered(step)) {
    notes.push(["dim", "optional: nothing waits for it; `pawl state retry` has it done"]);
  } else if (step.status !== "completed" && step.status !== "pending" && step.parentAnchor === null) {
    notes.push(["yellow", stoppedText(step)]);
  }
  if (step.blockedBy.length > 0) notes.push(["dim", `waits for ${step.blockedBy.join(", ")}`]);
  if (step.completeReason !== null)
    notes.push(
      doneElsewhere(step.completeReason) !== undefined
        ? ["dim", step.completeReason]
        : ["yellow", `forced: ${step.completeReason}`],
    );
  if (step.reopenReason !== null) notes.push(["yellow", `reopened: ${step.reopenReason}`]);
  if (step.checklist.deferred > 0)
    notes.push(["yellow", `deferred: ${plural(step.checklist.deferred, "item")}`]);
  const isVerified = step.verification === null || step.verification.outcome === "passed";
  if (step.usage !== null) notes.push(["dim", `used ${usageText(step.usage)}`]);
  if (step.commitHash !== null)
    notes.push(["dim", `commit ${step.commitHash.slice(0, 12)}${isVerified ? "" : ", not verified"}`]);
  else if (!isVerified && step.completeReason === null) notes.push(["dim", "not verified"]);
  for (const late of step.lateResults)
    notes.push([
      "yellow",
      `late result of claim ${late.claim ?? "?"}${late.heldRef === null ? "" : ` at ${late.heldRef}`}`,
    ]);
  return notes;
}

function totals({ totals: sum, usage, steps }: PlanView, paint: Paint): string {
  const offered = steps.filter(isOffered).length;
  const required = sum.steps - offered;
  const percent = percentOf(sum.stepsCompleted, required);
  const parts = [
    `${paint.bold("Total")}  ${sum.stepsCompleted}/${plural(required, "step")} ${percent}%`,
    ...(offered > 0 ? [`${offered} optional`] : []),
    ...(sum.substeps > 0 ? [`${sum.substepsCompleted}/${plural(sum.substeps, "substep")}`] : []),
    ...(sum.items > 0 ? [`${sum.itemsCompleted}/${plural(sum.items, "item")}`] : []),
    ...(sum.itemsDeferred > 0 ? [`${sum.itemsDeferred} deferred`] : []),
    ...(usage === null ? [] : [usageText(usage)]),
  ];
  return parts.join(" · ");
}

/** Rounded, but 100 only when all is done. */
function percentOf(done: number, total: number): number {
  if (total === 0) return 0;
  return done === total ? 100 : Math.min(Math.round((done / total) * 100), 99);
}
