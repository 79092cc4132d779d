import { Failure, plural, shellWord } from "../../domain/index.ts";
import {
  type NotVerified,
  type PlanSummary,
  type StoppedStep,
  type TrainPlace,
  trainWords,
} from "../../views/index.ts";
import type { SessionView } from "../../sessions/index.ts";
import type { Pawl } from "../../api.ts";
import { BY_SIGNAL } from "../by-signal.ts";
import { ALL_PRINTED, defineCommand } from "../command.ts";
import type { Context } from "../context.ts";
import { fitScreen } from "../text/fit-screen.ts";
import { bar, displayWidth, foldedColumns } from "../text/layout.ts";
import { type Paint, plainPaint } from "../text/paint.ts";
import { paragraph } from "../text/paragraph.ts";
import { sessionLines } from "../text/show-sessions.ts";
import { ago } from "../text/times.ts";
import { snakeCase } from "../../journal/index.ts";

const POLL_MS = 1000;

export const statusCommand = defineCommand({
  name: "status",
  operands: [],
  options: { watch: { type: "flag", streams: true, about: "Go on showing it until interrupted" } },
  examples: ["pawl status", "pawl status --watch"],
  async run(context, { watch }) {
    const pawl = await context.pawl();
    if (watch) return watchIt(context, pawl);
    const seen = await look(pawl);
    return { data: snakeCase(seen), text: (paint) => linesOf(seen, paint).join("\n") };
  },
});

interface Seen {
  readonly plans: readonly PlanSummary[];
  /** Those that run, and those that can be resumed. */
  readonly sessions: readonly SessionView[];
  /** Blocked or on hold: nothing happens to them until a person decides. */
  readonly stopped: readonly StoppedStep[];
  /** The steps that wait to land. */
  readonly train: readonly TrainPlace[];
  /** The plans with completed steps that no check has verified. */
  readonly notVerified: readonly NotVerified[];
}

async function look(pawl: Pawl): Promise<Seen> {
  const sessions = (await pawl.listSessions({ most: 1000 })).filter(
    ({ status, resumable }) => status === "in_progress" || resumable,
  );
  const plans = await pawl.list().catch((error: unknown) => {
    if (error instanceof Failure && error.problem === "plan/not-initialised") return [];
    throw error;
  });
  const [stopped, train, notVerified] = await Promise.all([
    pawl.stoppedSteps(),
    pawl.train({}),
    pawl.notVerified({}),
  ]);
  return { plans, sessions, stopped, train, notVerified };
}

const WIDTH = 20;
const NOTHING_RUNS = "No session runs, and none waits to be resumed.";
const NOTHING_YET =
  "Nothing has begun here. `pawl init` says which plans are there; `pawl run <plan>` starts one.";

function linesOf({ plans, sessions, stopped, train, notVerified }: Seen, paint: Paint): readonly string[] {
  const unverified = new Map(notVerified.map(({ planPath, steps }) => [planPath, steps]));
  const lines = foldedColumns(
    plans.map(({ planPath }) => [paint.bold(planPath)]),
    plans.map(({ planPath, stepsCompleted, stepsTotal }) => [
      `${bar(stepsCompleted, stepsTotal, WIDTH)} ${stepsCompleted}/${plural(stepsTotal, "step")}${unverifiedText(unverified.get(planPath), stepsCompleted)}`,
    ]),
    paint.columns,
  );
  const now = Date.now();
  const below = sessions.flatMap((session) => sessionLines(session, paint, now));
  return [
    ...(plans.length > 0 ? lines.split("\n") : []),
    ...plans.flatMap((plan) => failingLines(plan, paint)),
    ...stopped.flatMap((step) => stoppedLines(step, paint)),
    ...train.flatMap((place) => trainLines(place, paint, now)),
    ...(below.length > 0
      ? below
      : plans.length > 0
        ? [NOTHING_RUNS]
        : [paragraph(NOTHING_YET, 0, paint.columns)]),
  ];
}

const unverifiedText = (steps: number | undefined, completed: number): string =>
  steps === undefined ? "" : steps === completed ? ", not verified" : `, ${steps} not verified`;

function trainLines(place: TrainPlace, paint: Paint, nowMs: number): readonly string[] {
  const { anchor, worktree, since } = place;
  const who = worktree === null ? "" : ` (${worktree.split("/").at(-1)})`;
  const words = `${trainWords(place)}, joined ${ago(since, nowMs)}${who}`;
  const told = paragraph(words, BEHIND, paint.columns - displayWidth(anchor) - 1);
  return `${paint.cyan("lands".padEnd(7))}  ${paint.bold(anchor)} ${told}`.split("\n");
}

/** Columns before what stopped a step: its status and two spaces. */
const BEHIND = 9;

function failingLines({ fullCheck }: PlanSummary, paint: Paint): readonly string[] {
  if (fullCheck === null) return [];
  const told = paragraph(fullCheck, BEHIND, paint.columns);
  return [
    ...`${paint.red("failing")}  ${told}`.split("\n"),
    `${" ".repeat(BEHIND)}${paint.dim("pawl recover")}`,
  ];
}

/** Each line by itself: they are drawn again and again where somebody watches. */
function stoppedLines({ planPath, anchor, title, status, reason, note }: StoppedStep, paint: Paint) {
  const why = [reason?.replaceAll("_", " "), note].filter(Boolean).join(": ");
  const look = status === "blocked" ? paint.red : paint.yellow;
  const words = `${title}${why === "" ? "" : `: ${why}`}`;
  const told = paragraph(words, BEHIND, paint.columns - displayWidth(anchor) - 1);
  return [
    ...`${look(status.replace("_", " ").padEnd(7))}  ${paint.bold(anchor)} ${told}`.split("\n"),
    `${" ".repeat(BEHIND)}${paint.dim(`pawl explain ${shellWord(planPath)} ${shellWord(anchor)}`)}`,
  ];
}

/** On a terminal the picture stays in place; elsewhere it is printed when it changes. */
async function watchIt(context: Context, pawl: Pawl) {
  let before = "";
  for (;;) {
    const lines = linesOf(await look(pawl), plainPaint(context.progress.columns()));
    if (context.progress.mode === "live") context.progress.redraw(fitScreen(lines, context.progress));
    else if (lines.join("\n") !== before)
      for (const line of lines) if (!context.stream.line(line)) return ALL_PRINTED;
    before = lines.join("\n");
    if (!(await context.stream.pause(POLL_MS))) return { ...ALL_PRINTED, exitCode: BY_SIGNAL.SIGINT };
  }
}
