import { Failure, plural, safeText, shellWord, standstillWords, usageText } from "../../domain/index.ts";
import {
  groupRuns,
  type NotVerified,
  type PlanProgressView,
  type PlanSummary,
  type RunView,
  type StoppedStep,
  type TrainPlace,
  trainWords,
} from "../../views/index.ts";
import { type FindingView, type Matter, mattersIn } from "../../recovery/index.ts";
import type { SessionView } from "../../sessions/index.ts";
import type { Pawl } from "../../api.ts";
import { BY_SIGNAL } from "../by-signal.ts";
import { ALL_PRINTED, defineCommand } from "../command.ts";
import type { Context } from "../context.ts";
import { forPeople } from "../text/for-people.ts";
import { fitScreen } from "../text/fit-screen.ts";
import { evidenceLines } from "../text/agent-words.ts";
import { bar, displayWidth, foldedColumns, shorten } from "../text/layout.ts";
import { nearPath } from "../text/holder.ts";
import { nameWidth } from "../text/name-column.ts";
import { type Paint, plainPaint } from "../text/paint.ts";
import { paragraph } from "../text/paragraph.ts";
import { progressLine } from "../text/progress-line.ts";
import { pageOnDemand } from "../open-page.ts";
import { type LastWords, runLinesOf } from "../text/show-runs.ts";
import { ago } from "../text/times.ts";
import { snakeCase } from "../../journal/index.ts";

const POLL_MS = 1000;

export const statusCommand = defineCommand({
  name: "status",
  operands: [],
  options: { watch: { type: "flag", streams: true, about: "Keep showing it until interrupted" } },
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
  /** Those that run, and those that can be resumed; with their workers. */
  readonly runs: readonly RunView[];
  readonly sessions: readonly SessionView[];
  readonly progress: readonly PlanProgressView[];
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
  const [stopped, train, notVerified, progress] = await Promise.all([
    pawl.stoppedSteps(),
    pawl.train({}),
    pawl.notVerified({}),
    pawl.planProgress({}),
  ]);
  const runs = groupRuns(sessions);
  return {
    plans,
    runs,
    sessions,
    progress,
    stopped,
    train,
    notVerified,
    ...(known ?? (await diagnosed(pawl))),
  };
}

const WIDTH = 20;
const NOTHING_RUNS = "No session runs, and none waits to be resumed.";
const NOTHING_YET = "No plan has started here. `pawl init` lists the plans; `pawl run <plan>` starts one.";

function linesOf(seen: Seen, paint: Paint, said?: LastWords): readonly string[] {
  const { plans, runs, train, notVerified, progress } = seen;
  const unverified = new Map(notVerified.map(({ planPath, steps }) => [planPath, steps]));
  const far = new Map(progress.map((one) => [one.planPath, one]));
  const now = Date.now();
  const totals = ({ planPath, stepsCompleted, stepsTotal, usage }: PlanSummary): string => {
    const known = far.get(planPath);
    const not = unverifiedText(unverified.get(planPath), stepsCompleted);
    if (known?.runningSince) return `${progressLine(known, now)}${not}`;
    const still = known === undefined ? [] : standstillWords(known);
    return [
      `${stepsCompleted}/${plural(stepsTotal, "step")}${not}`,
      ...still,
      ...(usage === null ? [] : [usageText(usage)]),
    ].join(", ");
  };
  const lines = foldedColumns(
    plans.map(({ planPath }) => [paint.bold(shorten(planPath, paint.columns))]),
    plans.map((plan) => [`${bar(plan.stepsCompleted, plan.stepsTotal, WIDTH)} ${totals(plan)}`]),
    paint.columns,
  );
  const below = runs.flatMap((run) => runLinesOf(run, paint, now, said));
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
  const name = shorten(anchor, nameWidth(paint.columns));
  const text = paragraph(words, BEHIND, paint.columns - displayWidth(name) - 1);
  return `${paint.cyan("lands".padEnd(7))}  ${paint.bold(name)} ${text}`.split("\n");
}

/** Columns before what stopped a step: its status and two spaces. */
const BEHIND = 9;

const MARKS: Readonly<Record<FindingView["weight"], (paint: Paint) => string>> = {
  decide: (paint) => paint.red("decide "),
  proven: (paint) => paint.green("repairs"),
  know: (paint) => paint.yellow("note   "),
};

/** Each line by itself: they are drawn again and again in `--watch`. */
function diagnosedLines({ findings, undiagnosed, stopped }: Seen, paint: Paint): readonly string[] {
  if (undiagnosed !== null)
    return `${paint.red("unknown")}  ${paragraph(`what waits for a person: ${undiagnosed}`, BEHIND, paint.columns)}`.split(
      "\n",
    );
  const matters = mattersIn(findings);
  return (["decide", "proven", "know"] as const).flatMap((weight) =>
    matters
      .filter(({ findings: [one] }) => one.weight === weight)
      .flatMap((one) => matterLines(one, stopped, paint)),
  );
}

function matterLines(
  { found, findings: [{ rule, weight, kind, planPath, anchor, said, refused }] }: Matter,
  stopped: readonly StoppedStep[],
  paint: Paint,
): readonly string[] {
  const next =
    kind === "step" && planPath !== null && anchor !== null
      ? `pawl explain ${shellWord(planPath)} ${shellWord(anchor)}`
      : rule === "plan-newer" && planPath !== null
        ? `pawl run ${shellWord(planPath)}`
        : "pawl recover";
  const failure = stopped.find((one) => one.planPath === planPath && one.anchor === anchor)?.failure;
  return [
    ...`${MARKS[weight](paint)}  ${paragraph(forPeople(found, Date.now()), BEHIND, paint.columns)}`.split(
      "\n",
    ),
    ...evidenceLines({ said, refused }, failure, { paint, indent: BEHIND, most: MOST_SAID }),
    `${" ".repeat(BEHIND)}${paint.dim(next)}`,
  ];
}

/** Diagnosing asks git, so it is done again only now and then. */
const DIAGNOSE_MS = 5000;

/** Of what an agent said last; `pawl explain` has more. */
const MOST_SAID = 3;

/** On a terminal the picture stays in place; elsewhere it is printed when it changes. */
async function watchIt(context: Context, pawl: Pawl) {
  const { progress, stream } = context;
  const isLive = progress.mode === "live";
  let before = "";
  let known = { at: 0, diagnosed: await diagnosed(pawl) };
  const keys = isLive ? await watchKeys(context) : undefined;
  try {
    for (let atMs = 0; ; atMs += POLL_MS) {
      if (atMs - known.at >= DIAGNOSE_MS) known = { at: atMs, diagnosed: await diagnosed(pawl) };
      const seen = await look(pawl, known.diagnosed);
      const said = isLive ? await lastWords(pawl, seen) : undefined;
      const logs = keys?.hasLogs() ? logLines(seen, context.cwd) : [];
      // What is drawn in place leaves the last column free: see `fitScreen`.
      const columns = progress.columns() - (isLive ? 1 : 0);
      const lines = [...linesOf(seen, plainPaint(columns), said), ...logs];
      if (isLive) progress.redraw(fitScreen(keys ? [...lines, KEYS] : lines, progress));
      else if (lines.join("\n") !== before)
        for (const line of lines) if (!stream.line(line)) return ALL_PRINTED;
      before = lines.join("\n");
      const isWoken = keys?.isOver() || !(await stream.pause(POLL_MS));
      if (keys?.isOver()) return ALL_PRINTED;
      if (isWoken) return { ...ALL_PRINTED, exitCode: BY_SIGNAL.SIGINT };
    }
  } finally {
    await keys?.end();
  }
}

const KEYS = "q quit · l logs · p page";

/** A person who only watches stops no run by a key: that is done where it runs, on the page, or with a signal to it. */
async function watchKeys(context: Context) {
  if (!context.keys) return undefined;
  let isOver = false;
  let hasLogs = false;
  const page = pageOnDemand(context);
  const unwatch = await context.keys((key) => {
    if (key === "q") isOver = true;
    if (key === "l") hasLogs = !hasLogs;
    if (key === "p") page.open();
  });
  return {
    isOver: () => isOver,
    hasLogs: () => hasLogs,
    async end() {
      unwatch();
      await page.close();
    },
  };
}

/** Its folder is named after the session; a path that is cut off cannot be copied. */
const logLines = ({ sessions }: Seen, cwd: string): readonly string[] =>
  sessions.flatMap(({ status, at }) =>
    status === "in_progress" && at?.log ? [`log ${nearPath(at.log, cwd)}`] : [],
  );

/** About the last line: more would be read for each session, each second. */
const TAIL_BYTES = 8192;

/** The last line of each agent that is at work. */
async function lastWords(pawl: Pawl, { sessions }: Seen): Promise<LastWords> {
  const words = new Map<string, string>();
  for (const { id, status, at } of sessions) {
    if (status !== "in_progress" || at === null || at.endedAt !== null) continue;
    const log = await pawl.readLog({ id, most: TAIL_BYTES, wholeLines: "live" }).catch(() => undefined);
    const line = log?.lines.findLast((one) => one.trim() !== "");
    if (line !== undefined) words.set(id, safeText(line));
  }
  return words;
}
