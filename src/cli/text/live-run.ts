import type { RunEvent } from "../../flow/run/run-event.ts";
import type { Progress } from "../context.ts";
import { truncate } from "./layout.ts";
import { safeText } from "../../domain/safe-text.ts";

interface WorkerLine {
  readonly step: string;
  readonly phase: string;
  readonly sinceMs: number;
  readonly output: () => readonly string[];
}

const DRAW_MS = 500;
const SILENT = () => [];

/** What stays on the screen after it happened; everything else only changes a worker's line. */
const LASTING: ReadonlySet<RunEvent["event"]> = new Set<RunEvent["event"]>([
  "completed",
  "blocked",
  "paused",
  "lost",
  "note",
]);

const PHASES: Readonly<Partial<Record<RunEvent["event"], string>>> = {
  session: "ready",
  claimed: "claimed",
  verifying: "verifying",
  committed: "completing",
  completed: "done",
  blocked: "blocked",
  paused: "paused",
  waiting: "waiting",
};

/** A line for each worker, drawn again and again in place: step, phase, time, the agent's last words. */
export function liveRun(progress: Progress, lineFor: (event: RunEvent) => string, nowMs: () => number) {
  const workers = new Map<number, WorkerLine>();
  const draw = () =>
    progress.redraw([...workers].map(([number, line]) => lineOf(number, line, progress.columns(), nowMs())));
  const timer = setInterval(draw, DRAW_MS);
  timer.unref();
  return {
    tell(event: RunEvent) {
      const before = workers.get(event.worker);
      const step = "step" in event ? (event.step ?? "") : (before?.step ?? "");
      const phase = event.event === "command" ? event.command : (PHASES[event.event] ?? before?.phase ?? "");
      const output = event.event === "command" ? event.lines : (before?.output ?? SILENT);
      const sinceMs = phase === before?.phase && step === before.step ? before.sinceMs : nowMs();
      workers.set(event.worker, { step, phase, sinceMs, output });
      if (LASTING.has(event.event)) {
        progress.redraw([]);
        progress.line(safeText(lineFor(event)));
      }
      draw();
    },
    end() {
      clearInterval(timer);
      progress.redraw([]);
    },
  };
}

function lineOf(
  number: number,
  { step, phase, sinceMs, output }: WorkerLine,
  columns: number,
  nowMs: number,
): string {
  const seconds = Math.round((nowMs - sinceMs) / 1000);
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const text = `[${number}] ${step} ${phase} ${time}  ${output().at(-1) ?? ""}`;
  return truncate(safeText(text), columns - 1);
}
