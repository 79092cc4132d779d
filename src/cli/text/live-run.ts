import type { RunEvent } from "../../runs/index.ts";
import type { Progress } from "../context.ts";
import { fitScreen } from "./fit-screen.ts";
import { bar } from "./layout.ts";
import { timeOfDay } from "./times.ts";
import type { Paint } from "./paint.ts";
import { paragraph } from "./paragraph.ts";
import type { LineFor } from "./run-lines.ts";
import { safeText } from "../../domain/index.ts";

interface WorkerLine {
  readonly step: string;
  /** What the step is about: shown while its agent says nothing. */
  readonly title: string;
  readonly phase: string;
  readonly sinceMs: number;
  readonly output: () => readonly string[];
}

/** How far the plan is, as far as this run has heard. */
export interface PlanLine {
  readonly plan: string;
  readonly total: number;
  readonly completed: number;
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
  "halted",
  "paused",
  "stopping",
  "lost",
  "note",
]);

const LOOKS: Readonly<Partial<Record<RunEvent["event"], "green" | "red" | "yellow" | "dim">>> = {
  completed: "green",
  blocked: "red",
  lost: "red",
  halted: "red",
  paused: "yellow",
  stopping: "yellow",
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

function progressOf(event: RunEvent, before: PlanLine | undefined): PlanLine | undefined {
  if (event.event === "plan") return event;
  if (before === undefined) return undefined;
  if (event.event === "completed") return { ...before, completed: before.completed + 1 };
  // Others may have completed steps meanwhile.
  if (event.event === "claimed" && event.remaining !== undefined)
    return { ...before, completed: before.total - event.remaining };
  return before;
}

interface Seen {
  readonly lineFor: LineFor;
  readonly nowMs: () => number;
  /** How far the plan is now, whoever brought it there. */
  readonly count: (plan: string) => Promise<PlanLine | undefined>;
}

/** How far the plan is, and a line for each worker, drawn again and again in place: step, phase, time, the agent's last words or the step's title. */
export function liveRun(progress: Progress, { lineFor, nowMs, count }: Seen) {
  const workers = new Map<number, WorkerLine>();
  let plan: PlanLine | undefined;
  const { paint } = progress;
  const draw = () => {
    const lines = [...workers].map(([number, line]) => lineOf(number, line, nowMs()));
    const looks = [
      ...(plan ? [paint.bold] : []),
      ...[...workers.values()].map(({ phase }) => lookOf(phase, paint)),
    ];
    // Painted last: a colour must not be cut in two.
    progress.redraw(
      fitScreen([...(plan ? [planLine(plan)] : []), ...lines], progress).map((line, index) =>
        (looks[index] ?? paint.dim)(line),
      ),
    );
  };
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
      plan = progressOf(event, plan);
      const line = lineFor(event);
      if (event.event !== "plan")
        workers.set(event.worker, after(event, workers.get(event.worker), nowMs(), line));
      if (LASTING.has(event.event)) {
        progress.redraw([]);
        progress.line(lasting(event, line, progress));
      }
      draw();
    },
    end() {
      for (const timer of timers) clearInterval(timer);
      progress.redraw([]);
    },
  };
}

/** Below its worker's number, where it does not fit the line. */
function lasting({ event, worker }: RunEvent, line: string, { paint, columns }: Progress): string {
  const number = `[${worker}] `;
  return `${number}${paragraph(line, number.length, columns())}`
    .split("\n")
    .map(paint[LOOKS[event] ?? "plain"])
    .join("\n");
}

/** Who is at work stands out from those who wait. */
function lookOf(phase: string, paint: Paint): (text: string) => string {
  if (phase === "blocked") return paint.red;
  if (phase.startsWith("paused")) return paint.yellow;
  return phase.startsWith("waits") || phase === "done" || phase === "ready" ? paint.dim : paint.cyan;
}

const planLine = ({ plan, completed, total }: PlanLine): string =>
  `${plan} ${bar(completed, total, BAR_WIDTH)} ${completed}/${total}`;

function lineOf(number: number, { step, title, phase, sinceMs, output }: WorkerLine, nowMs: number): string {
  const seconds = Math.round((nowMs - sinceMs) / 1000);
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const words = [`[${number}]`, step, phase, time].filter((word) => word !== "").join(" ");
  return safeText(`${words}  ${output().at(-1) ?? title}`).trimEnd();
}
