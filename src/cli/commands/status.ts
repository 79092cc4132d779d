import { Failure, plural, shellWord, usageText } from "../../domain/index.ts";
import {
  type NotVerified,
  type PlanSummary,
  type StoppedStep,
  type TrainPlace,
  trainWords,
} from "../../views/index.ts";
import type { FindingView } from "../../recovery/index.ts";
import type { SessionView } from "../../sessions/index.ts";
import type { Pawl } from "../../api.ts";
import { BY_SIGNAL } from "../by-signal.ts";
import { ALL_PRINTED, defineCommand } from "../command.ts";
import type { Context } from "../context.ts";
import { forPeople } from "../text/for-people.ts";
import { fitScreen } from "../text/fit-screen.ts";
import { agentWordLines } from "../text/agent-words.ts";
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
  /** Blocked or on hold. */
  readonly stopped: readonly StoppedStep[];
  /** What was left and what waits for a person, as `recover`, `explain`, the page and agents have it. */
  readonly findings: readonly FindingView[];
  /** Why nothing of that could be found out. */
  readonly undiagnosed: string | null;
  /** The steps that wait to land. */
  readonly train: readonly TrainPlace[];
  /** The plans with completed steps that no check has verified. */
  readonly notVerified: readonly NotVerified[];
}

type Diagnosed = Pick<Seen, "findings" | "undiagnosed">;

/** What cannot be diagnosed says so, and hides nothing else. */
async function diagnosed(pawl: Pawl): Promise<Diagnosed> {
  try {
    return { findings: await pawl.diagnosis({}), undiagnosed: null };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { findings: [], undiagnosed: error.message };
  }
}

async function look(pawl: Pawl, known?: Diagnosed): Promise<Seen> {
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
  return { plans, sessions, stopped, train, notVerified, ...(known ?? (await diagnosed(pawl))) };
}

const WIDTH = 20;
const NOTHING_RUNS = "No session runs, and none waits to be resumed.";
const NOTHING_YET =
  "Nothing has begun here. `pawl init` says which plans are there; `pawl run <plan>` starts one.";

function linesOf(seen: Seen, paint: Paint): readonly string[] {
  const { plans, sessions, train, notVerified } = seen;
  const unverified = new Map(notVerified.map(({ planPath, steps }) => [planPath, steps]));
  const lines = foldedColumns(
    plans.map(({ planPath }) => [paint.bold(planPath)]),
    plans.map(({ planPath, stepsCompleted, stepsTotal, usage }) => [
      `${bar(stepsCompleted, stepsTotal, WIDTH)} ${stepsCompleted}/${plural(stepsTotal, "step")}${unverifiedText(unverified.get(planPath), stepsCompleted)}${usage === null ? "" : `, ${usageText(usage)}`}`,
    ]),
    paint.columns,
  );
  const now = Date.now();
  const below = sessions.flatMap((session) => sessionLines(session, paint, now));
  return [
    ...(plans.length > 0 ? lines.split("\n") : []),
    ...diagnosedLines(seen, paint),
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

const MARKS: Readonly<Record<FindingView["weight"], (paint: Paint) => string>> = {
  decide: (paint) => paint.red("decide "),
  proven: (paint) => paint.green("repairs"),
  know: (paint) => paint.yellow("note   "),
};

/** Each line by itself: they are drawn again and again in `--watch`. */
function diagnosedLines({ findings, undiagnosed }: Seen, paint: Paint): readonly string[] {
  if (undiagnosed !== null)
    return `${paint.red("unknown")}  ${paragraph(`what waits for a person: ${undiagnosed}`, BEHIND, paint.columns)}`.split(
      "\n",
    );
  return (["decide", "proven", "know"] as const).flatMap((weight) =>
    findings.filter((one) => one.weight === weight).flatMap((one) => findingLines(one, paint)),
  );
}

function findingLines(
  { weight, found, kind, planPath, anchor, said, refused }: FindingView,
  paint: Paint,
): readonly string[] {
  const next =
    kind === "step" && planPath !== null && anchor !== null
      ? `pawl explain ${shellWord(planPath)} ${shellWord(anchor)}`
      : "pawl recover";
  return [
    ...`${MARKS[weight](paint)}  ${paragraph(forPeople(found, Date.now()), BEHIND, paint.columns)}`.split(
      "\n",
    ),
    ...agentWordLines({ said, refused }, { paint, indent: BEHIND, most: MOST_SAID }),
    `${" ".repeat(BEHIND)}${paint.dim(next)}`,
  ];
}

/** Diagnosing asks git, so it is done again only now and then. */
const DIAGNOSE_MS = 5000;

/** Of what an agent said last; `pawl explain` has more. */
const MOST_SAID = 3;

/** On a terminal the picture stays in place; elsewhere it is printed when it changes. */
async function watchIt(context: Context, pawl: Pawl) {
  let before = "";
  let known = { at: 0, diagnosed: await diagnosed(pawl) };
  for (let atMs = 0; ; atMs += POLL_MS) {
    if (atMs - known.at >= DIAGNOSE_MS) known = { at: atMs, diagnosed: await diagnosed(pawl) };
    const lines = linesOf(await look(pawl, known.diagnosed), plainPaint(context.progress.columns()));
    if (context.progress.mode === "live") context.progress.redraw(fitScreen(lines, context.progress));
    else if (lines.join("\n") !== before)
      for (const line of lines) if (!context.stream.line(line)) return ALL_PRINTED;
    before = lines.join("\n");
    if (!(await context.stream.pause(POLL_MS))) return { ...ALL_PRINTED, exitCode: BY_SIGNAL.SIGINT };
  }
}
