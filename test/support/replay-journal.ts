import { readFileSync } from "node:fs";

/** A line of the journal, as the table holds it. */
export interface JournalLine {
  readonly id: number;
  readonly at: string;
  readonly plan_path: string | null;
  readonly anchor: string | null;
  readonly event: string;
  readonly claim: number | null;
  readonly worktree: string | null;
  readonly session_id: string | null;
  readonly detail: string;
}

/** What is known of a step after the journal was read up to some line. */
export interface ReplayedStep {
  status: string;
  /** The newest number that was granted. */
  granted: number;
  /** Whom it was granted to; null while no worker holds the step. */
  worktree: string | null;
  completions: number;
}

export interface Replay {
  /** By plan, then by anchor; a step that no line tells of is pending and absent. */
  readonly plans: ReadonlyMap<string, ReadonlyMap<string, ReplayedStep>>;
  /** What a line tells that cannot follow from the lines before it. */
  readonly problems: readonly string[];
}

type Steps = Map<string, ReplayedStep>;

const HELD = new Set(["claimed", "in_progress", "awaiting_verification"]);

/** Who belongs to whom. Needed because a substep that goes with its step has no line of its own. */
export interface Family {
  readonly substeps: (plan: string, anchor: string) => readonly string[];
  readonly parent: (plan: string, anchor: string) => string | undefined;
}

/**
 * Reads the journal as the only truth: what must each step be, and could every line have happened?
 *
 * It knows the rules of the step machine by heart and asks nothing of `src/`, so a journal that tells another story
 * than the tables is found, and so is a change that was not recorded.
 */
export function replayJournal(lines: readonly JournalLine[], family: Family): Replay {
  const plans = new Map<string, Steps>();
  const problems: string[] = [];
  for (const line of lines) {
    if (line.plan_path === null) continue;
    let steps = plans.get(line.plan_path);
    if (!steps) plans.set(line.plan_path, (steps = new Map()));
    replayLine(line, {
      steps,
      plan: line.plan_path,
      family,
      say: (what) => problems.push(`line ${line.id} (${line.event} ${line.anchor ?? ""}): ${what}`),
    });
  }
  return { plans, problems };
}

interface Context {
  readonly steps: Steps;
  readonly plan: string;
  readonly family: Family;
  readonly say: (what: string) => void;
}

function stepIn({ steps }: Context, anchor: string): ReplayedStep {
  let step = steps.get(anchor);
  if (!step) steps.set(anchor, (step = { status: "pending", granted: 0, worktree: null, completions: 0 }));
  return step;
}

function replayLine(line: JournalLine, context: Context): void {
  if (line.anchor === null) return replayPlanLine(line, context);
  const step = stepIn(context, line.anchor);
  const move = MOVES[line.event];
  if (move) {
    if (!move.from.includes(step.status)) context.say(`it was ${step.status}`);
    step.status = move.to;
  }
  if (line.event === "claimed" || line.event === "reclaimed") return grant(line, step, context);
  if (WORKER_EVENTS.has(line.event)) checkNumber(line, step, context);
  if (line.event === "completed" || line.event === "proved") step.completions += 1;
  if (line.event === "reopened") step.completions -= 1;
  if (FREEING.has(line.event)) {
    step.worktree = null;
    freeSubsteps(line.anchor, context);
  }
  if (line.event === "completed" && step.completions > 1) context.say("it was completed already");
}

interface Move {
  readonly from: readonly string[];
  readonly to: string;
}

const OPEN = ["pending", "claimed", "in_progress", "awaiting_verification", "blocked", "on_hold"];

const MOVES: Readonly<Record<string, Move>> = {
  claimed: { from: ["pending"], to: "claimed" },
  reclaimed: { from: [...HELD], to: "claimed" },
  // A substep that was reset while its step is held is taken and started by one line.
  started: { from: ["claimed", "pending"], to: "in_progress" },
  submitted: { from: ["in_progress"], to: "awaiting_verification" },
  rejected: { from: ["awaiting_verification"], to: "in_progress" },
  completed: { from: ["in_progress", "awaiting_verification"], to: "completed" },
  released: { from: [...HELD], to: "pending" },
  reset: { from: OPEN, to: "pending" },
  held: { from: OPEN, to: "on_hold" },
  blocked: { from: OPEN, to: "blocked" },
  reverify: { from: ["blocked"], to: "awaiting_verification" },
  retried: { from: ["blocked", "on_hold"], to: "pending" },
  reopened: { from: ["completed"], to: "pending" },
  proved: { from: OPEN, to: "completed" },
};

const FREEING = new Set(["released", "reset", "held", "blocked", "retried", "reverify", "reopened"]);
const WORKER_EVENTS = new Set([
  "started",
  "items-updated",
  "artifact-recorded",
  "completed",
  "lease-revived",
]);

function grant(line: JournalLine, step: ReplayedStep, context: Context): void {
  if (line.claim === null || line.claim <= step.granted) {
    context.say(`number ${line.claim} after ${step.granted}: numbers must rise`);
  }
  step.granted = line.claim ?? step.granted;
  step.worktree = line.worktree;
  for (const anchor of context.family.substeps(context.plan, line.anchor!)) {
    const substep = stepIn(context, anchor);
    if (substep.status === "pending" || HELD.has(substep.status)) substep.status = "claimed";
  }
}

/** What a worker did must carry the number and the worktree of the grant that was in force. */
function checkNumber(line: JournalLine, step: ReplayedStep, context: Context): void {
  const owner = ownerOf(line.anchor!, context) ?? step;
  if (line.claim !== owner.granted)
    context.say(`number ${line.claim} was used, ${owner.granted} was in force`);
  if (line.worktree !== owner.worktree)
    context.say(`${line.worktree} acted, ${owner.worktree} held the step`);
}

/** The step of a substep; undefined for a step. */
function ownerOf(anchor: string, context: Context): ReplayedStep | undefined {
  const parent = context.family.parent(context.plan, anchor);
  return parent === undefined ? undefined : stepIn(context, parent);
}

function freeSubsteps(anchor: string, context: Context): void {
  for (const name of context.family.substeps(context.plan, anchor)) {
    const substep = stepIn(context, name);
    if (HELD.has(substep.status)) substep.status = "pending";
  }
}

interface Dropped {
  readonly anchor: string;
  readonly because: string;
}

function replayPlanLine(line: JournalLine, context: Context): void {
  const { steps } = context;
  const detail = JSON.parse(line.detail) as { dropped?: Dropped[]; from?: string };
  if (line.event === "pruned") {
    for (const step of steps.values())
      Object.assign(step, { status: "pending", worktree: null, completions: 0 });
  }
  if (line.event === "saved-again") {
    for (const { anchor } of detail.dropped ?? []) {
      const step = stepIn(context, anchor);
      Object.assign(step, { status: "pending", worktree: null });
      freeSubsteps(anchor, context);
    }
  }
  if (line.event === "restored") restoreFrom(detail.from!, context);
}

/** The saved file says what each step was; a worker that held one then does not hold it now. */
function restoreFrom(path: string, context: Context): void {
  const saved = JSON.parse(readFileSync(path, "utf8")) as { steps: { anchor: string; status: string }[] };
  for (const { anchor, status } of saved.steps) {
    const done = status === "completed";
    Object.assign(stepIn(context, anchor), {
      status: HELD.has(status) ? "pending" : status,
      worktree: null,
      completions: done ? 1 : 0,
    });
  }
}
