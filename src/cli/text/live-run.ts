import type { RunEvent } from "../../runs/index.ts";
import type { Progress, WatchKeys } from "../context.ts";
import { fitScreen } from "./fit-screen.ts";
import { nearPath } from "./holder.ts";
import { bar, displayWidth, shorten } from "./layout.ts";
import { nameWidth } from "./name-column.ts";
import { timeOfDay } from "./times.ts";
import type { Paint } from "./paint.ts";
import { paragraph } from "./paragraph.ts";
import type { LineFor } from "./run-lines.ts";
import { clockTime, progressLine } from "./progress-line.ts";
import { type ProgressFacts, safeText, toInstant } from "../../domain/index.ts";

interface WorkerLine {
  readonly step: string;
  /** What the step is about: shown while its agent says nothing. */
  readonly title: string;
  readonly phase: string;
  readonly sinceMs: number;
  readonly output: () => readonly string[];
}

/** How far the plan is, as far as this run knows. */
export interface PlanLine extends ProgressFacts {
  readonly plan: string;
}

const DRAW_MS = 500;
/** Others complete steps too, and a worker hears of it only when it claims its next one. */
const COUNT_MS = 2000;
const BAR_WIDTH = 20;
const SILENT = () => [];

/** What stays on the screen after it happened; everything else only changes a worker's line. */
const LASTING: ReadonlySet<RunEvent["event"]> = new Set<RunEvent["event"]>([
  "completed",
  "blocked",
  "said",
  "refused",
  "retrying",
  "silent",
  "agent-changed",
  "halted",
  "paused",
  "stopping",
  "lost",
  "note",
]);

const isFailure = (event: RunEvent): boolean => event.event === "verdict" && event.failed !== undefined;

const LOOKS: Readonly<Partial<Record<RunEvent["event"], "green" | "red" | "yellow" | "dim">>> = {
  completed: "green",
  blocked: "red",
  verdict: "red",
  lost: "red",
  halted: "red",
  paused: "yellow",
  stopping: "yellow",
  refused: "yellow",
  retrying: "yellow",
  silent: "yellow",
  "agent-changed": "yellow",
  note: "dim",
  said: "dim",
};

const PHASES: Readonly<Partial<Record<RunEvent["event"], string>>> = {
  session: "ready",
  claimed: "claimed",
  verifying: "verifying",
  "waits-to-land": "waits to land",
  committed: "completing",
  completed: "done",
  blocked: "blocked",
  paused: "paused",
};

/** What a worker is at after an event; the agent's last words only while they are of now. */
function after(event: RunEvent, before: WorkerLine | undefined, nowMs: number, line: string): WorkerLine {
  const step = "step" in event ? (event.step ?? "") : (before?.step ?? "");
  const going = before?.output ?? SILENT;
  const title = event.event === "claimed" ? event.title : step === before?.step ? before.title : "";
  if (event.event === "command")
    return { step, title, phase: event.command, sinceMs: nowMs, output: event.lines };
  if (event.event === "waiting") return { step: "", title: "", phase: line, sinceMs: nowMs, output: SILENT };
  if (event.event === "paused" && event.until !== undefined)
    return { step, title, phase: `paused until ${timeOfDay(event.until)}`, sinceMs: nowMs, output: SILENT };
  const phase = PHASES[event.event] ?? before?.phase ?? "";
  const isSame = before !== undefined && phase === before.phase && step === before.step;
  return { step, title, phase, sinceMs: isSame ? before.sinceMs : nowMs, output: isSame ? going : SILENT };
}

function progressOf(event: RunEvent, before: PlanLine | undefined, nowMs: number): PlanLine | undefined {
  if (event.event === "plan")
    return {
      plan: event.plan,
      stepsTotal: event.total,
      stepsCompleted: event.completed,
      stepsWorking: 0,
      stepsStopped: 0,
      stepsInterrupted: 0,
      stepsBlocked: 0,
      stepsUnreachable: 0,
      runningSince: toInstant(nowMs),
      remainingMs: null,
      costUsd: null,
    };
  if (before === undefined) return undefined;
  if (event.event === "completed") return { ...before, stepsCompleted: before.stepsCompleted + 1 };
  // Others may have completed steps meanwhile.
  if (event.event === "claimed" && event.remaining !== undefined)
    return { ...before, stepsCompleted: before.stepsTotal - event.remaining };
  return before;
}

interface Seen {
  readonly lineFor: LineFor;
  /** Where the person is, from whom paths are as short as they can be. */
  readonly cwd: string;
  readonly nowMs: () => number;
  /** How far the plan is now, whichever run brought it there. */
  readonly count: (plan: string) => Promise<PlanLine | undefined>;
  /** Listens to keys from the first session on; questions come before it. Undefined where there is no keyboard. */
  readonly keys?: LiveKeys | undefined;
}

export interface LiveKeys {
  readonly watch: WatchKeys;
  /** Stops the run as Ctrl-C does. */
  readonly stop: () => void;
  /** Opens the page and says where; undefined where it is open already. */
  readonly page: (() => void) | undefined;
}

/**
 * How far the plan is, and a line for each worker, drawn again and again in place: step, phase, time, the agent's last
 * words or the step's title; and below them the keys.
 */
export function liveRun(progress: Progress, { lineFor, cwd, nowMs, count, keys }: Seen) {
  const workers = new Map<number, WorkerLine>();
  const logs = new Map<number, string>();
  let plan: PlanLine | undefined;
  let unwatch: Promise<() => void> | undefined;
  const { paint } = progress;
  const draw = () => {
    const foot = unwatch === undefined ? [] : [KEYS(keys?.page !== undefined)];
    drawFrame(progress, { plan, workers, foot, nowMs: nowMs() });
  };
  const print = (text: string, look: (text: string) => string) => {
    progress.redraw([]);
    progress.line(look(text));
    draw();
  };
  const showLogs = () => {
    for (const [number, log] of [...logs].toSorted(([a], [b]) => a - b))
      print(safeText(`[${number}] log ${nearPath(log, cwd)}`), paint.plain);
  };
  const acts: Readonly<Record<string, (() => void) | undefined>> = {
    s: keys?.stop,
    p: keys?.page,
    l: showLogs,
  };
  const press = (key: string) => acts[key]?.();
  let isCounting = false;
  const countAgain = async () => {
    if (plan === undefined || isCounting) return;
    isCounting = true;
    const { plan: name } = plan;
    plan = (await count(name).catch(() => undefined)) ?? plan;
    isCounting = false;
  };
  const timers = [setInterval(draw, DRAW_MS), setInterval(() => void countAgain(), COUNT_MS)];
  for (const timer of timers) timer.unref();
  return {
    report(event: RunEvent) {
      plan = progressOf(event, plan, nowMs());
      if (event.event === "command") logs.set(event.worker, event.log);
      if (event.event === "session") unwatch ??= keys?.watch(press);
      const line = lineFor(event);
      if (event.event !== "plan")
        workers.set(event.worker, after(event, workers.get(event.worker), nowMs(), line));
      if (LASTING.has(event.event) || isFailure(event)) {
        progress.redraw([]);
        progress.line(lasting(event, line, progress));
      }
      draw();
    },
    /** Resolves when the terminal is as it was. */
    async end() {
      for (const timer of timers) clearInterval(timer);
      progress.redraw([]);
      (await unwatch)?.();
    },
  };
}

interface Frame {
  readonly plan: PlanLine | undefined;
  readonly workers: ReadonlyMap<number, WorkerLine>;
  readonly foot: readonly string[];
  readonly nowMs: number;
}

function drawFrame(progress: Progress, { plan, workers, foot, nowMs }: Frame): void {
  const { paint } = progress;
  const columns = progress.columns();
  const head = plan ? headLines(plan, nowMs, columns) : [];
  const lines = [...workers].map(([number, line]) => lineOf(number, line, nowMs, columns));
  const shades = [...workers.values()].map(({ phase }) => lookOf(phase, paint));
  const looks = [...head.map(() => paint.bold), ...shades];
  // Painted last: a colour must not be cut in two.
  progress.redraw(
    fitScreen([...head, ...lines, ...foot], progress).map((line, index) => (looks[index] ?? paint.dim)(line)),
  );
}

/** Below its worker's number, where it does not fit the line. A long name leaves room for what is said of the step. */
function lasting(event: RunEvent, line: string, { paint, columns }: Progress): string {
  const number = `[${event.worker}] `;
  const step = "step" in event ? (event.step ?? "") : "";
  const words =
    step !== "" && line.startsWith(`${step}:`)
      ? `${shorten(step, nameWidth(columns()))}${line.slice(step.length)}`
      : line;
  return `${number}${paragraph(words, number.length, columns())}`
    .split("\n")
    .map(paint[LOOKS[event.event] ?? "plain"])
    .join("\n");
}

/** Who is at work stands out from those who wait. */
function lookOf(phase: string, paint: Paint): (text: string) => string {
  if (phase === "blocked") return paint.red;
  if (phase.startsWith("paused")) return paint.yellow;
  return phase.startsWith("waits") || phase === "done" || phase === "ready" ? paint.dim : paint.cyan;
}

/** On one line where it fits. */
function headLines(line: PlanLine, nowMs: number, columns: number): readonly string[] {
  const { plan, stepsCompleted, stepsTotal } = line;
  const totals = progressLine(line, nowMs);
  const name = `${plan} ${bar(stepsCompleted, stepsTotal, BAR_WIDTH)}`;
  if (displayWidth(`${name} ${totals}`) < columns) return [`${name} ${totals}`];
  return [`${shorten(plan, columns - BAR_WIDTH - 4)} ${bar(stepsCompleted, stepsTotal, BAR_WIDTH)}`, totals];
}

/** What the keys do. */
const KEYS = (hasPage: boolean): string => ["s stop", "l logs", ...(hasPage ? ["p page"] : [])].join(" · ");

function lineOf(
  number: number,
  { step, title, phase, sinceMs, output }: WorkerLine,
  nowMs: number,
  columns: number,
): string {
  const time = clockTime(nowMs - sinceMs);
  const words = [`[${number}]`, shorten(step, nameWidth(columns)), phase, time]
    .filter((word) => word !== "")
    .join(" ");
  return safeText(`${words}  ${output().at(-1) ?? title}`).trimEnd();
}
