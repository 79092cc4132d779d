import { EMPTY_CONTEXT, PROMPTS, runSettingsOf, workflowOf } from "../agents/index.ts";
import { DEFAULT_TIMEOUT_MS, type Diagnostic, Failure, flatten, MAX_PLAN_BYTES } from "../domain/index.ts";
import {
  type DraftFormat,
  draftGuide,
  QUESTIONS_HEADING,
  QUESTIONS_MEMBER,
  type ReadDraft,
  readDraft,
} from "../plans/formats/index.ts";
import type { Files, Ports } from "../platform/ports/index.ts";
import type { LoopEnd, RunCallbacks } from "./finish/run-answer.ts";
import { openAndRun } from "./prepare/open-sessions.ts";
import { refuseUnready } from "./prepare/refuse-unready.ts";
import { agentsFor, type RunConfig, RUN_LEASE_SECONDS } from "./prepare/run-config.ts";
import { withSentinel } from "./prepare/sentinel.ts";
import type { WorkerWorktree } from "./prepare/worker-worktree.ts";
import { askPlanner, gaveUp, notWritten, type Planned } from "./spec/ask-planner.ts";
import { planningWorktree, removePlanningWorktree } from "./spec/planning-worktree.ts";
import type { CommandDone } from "./work/run-command.ts";
import type { Worker } from "./work/worker.ts";

export interface DraftRequest extends RunCallbacks {
  /** Where the plan goes. Nothing may be there. */
  readonly path: string;
  readonly format: DraftFormat;
  /** What is to be built: a sentence, a PRD, an issue. */
  readonly description: string;
  readonly agent?: string | undefined;
  readonly argv?: readonly string[] | undefined;
  readonly wait?: boolean | undefined;
  readonly maxWaitMs?: number | undefined;
  readonly graceMs?: number | undefined;
}

export interface DraftAnswer {
  readonly path: string;
  readonly format: DraftFormat;
  readonly title: string | null;
  readonly stepCount: number;
  readonly substepCount: number;
  readonly openQuestions: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  readonly session: string | null;
}

interface Draft {
  readonly bytes: Uint8Array;
  readonly read: ReadDraft;
}

/** Where the planner finds what is to be built, and puts the plan, in its worktree. */
const FOLDER = ".pawl-draft";
const DESCRIPTION = "description.md";

/**
 * Has an agent write a new plan from a description. Nothing of the plan is carried out.
 *
 * The agent works in a worktree of its own, so whatever else it writes goes nowhere; the plan takes its place whole,
 * once it reads without an error. Cut off before that, nothing has changed, and the next call begins anew.
 */
export async function draftPlan(ports: Ports, request: DraftRequest): Promise<DraftAnswer> {
  const { path, format } = request;
  if (ports.files.exists(path)) throw new Failure("file/exists", `${path} is there already.`, { path });
  const settings = runSettingsOf(ports);
  const config: RunConfig = {
    workflow: settings.workflow,
    ...agentsFor(settings, request),
    argv: request.argv,
    workers: 1,
    wait: request.wait ?? false,
    maxWaitMs: request.maxWaitMs,
    leaseSeconds: RUN_LEASE_SECONDS,
    graceMs: request.graceMs,
  };
  await refuseUnready(ports, { settings, config, workflow: workflowOf(settings, config.workflow) });
  await ports.database({ create: true });
  const { draft, session } = await withSentinel(ports, undefined, () => askFor(ports, request, config));
  ports.files.create(path, draft.bytes);
  const { plan, questions } = draft.read;
  return {
    path,
    format,
    title: plan.title ?? null,
    stepCount: plan.steps.length,
    substepCount: flatten(plan).length - plan.steps.length,
    openQuestions: questions,
    diagnostics: plan.diagnostics,
    session,
  };
}

async function askFor(
  ports: Ports,
  request: DraftRequest,
  config: RunConfig,
): Promise<{ readonly draft: Draft; readonly session: string | null }> {
  const key = request.path;
  let worktree: WorkerWorktree | undefined;
  let planned: Planned<Draft> = { kind: "bad", diagnostics: ["no plan was written"] };
  const answer = await openAndRun(ports, {
    config,
    kind: "plan",
    isResumable: false,
    lock: `plan ${key}`,
    async choose() {
      worktree = await planningWorktree(ports, key);
      const folder = `${worktree.worktree.path}/${FOLDER}`;
      ports.files.makeFolder(folder);
      ports.files.replace(`${folder}/${DESCRIPTION}`, Buffer.from(request.description));
      return worktree;
    },
    request,
    warnings: [],
    async loop(worker): Promise<LoopEnd> {
      const asked = await askPlanner(worker, planningOf(worker, request));
      if (asked.kind === "stopped") return asked.end;
      planned = asked;
      return { kind: "enough" };
    },
  });
  const [session] = answer.sessions;
  if (answer.ended === "interrupted" || answer.ended === "paused")
    throw new Failure("planner/stopped", `The planner was stopped: ${answer.because ?? answer.ended}.`, {
      session_id: session,
      paused_until: answer.pausedUntil,
    });
  // Assigned in the loop, which the compiler does not see.
  const result = planned as Planned<Draft>;
  if (result.kind === "bad")
    throw gaveUp(result.diagnostics.slice(0, 3).join("; "), {
      session_id: session,
      worktree_path: worktree?.worktree.path,
    });
  await removePlanningWorktree(ports, worktree!.branch!);
  return { draft: result.value, session: session ?? null };
}

function planningOf({ ports, session }: Worker, { format, path }: DraftRequest) {
  const file = `${FOLDER}/${path.split(/[\\/]/).at(-1)!}`;
  return {
    name: "plan",
    timeoutMs: DEFAULT_TIMEOUT_MS,
    prompt: (diagnostics: readonly string[]) => promptFor(format, file, diagnostics),
    // What is there before anyone was asked was committed before, for something else.
    read: (done: CommandDone | undefined): Planned<Draft> =>
      done === undefined
        ? { kind: "bad", diagnostics: [] }
        : draftIn(ports.files, format, `${session.worktree.path}/${file}`, done),
  };
}

/** No person and no agent reads more than this. */
const MOST_PROBLEMS = 50;

function draftIn(files: Files, format: DraftFormat, path: string, done: CommandDone): Planned<Draft> {
  const bad = (...diagnostics: readonly string[]): Planned<Draft> => ({ kind: "bad", diagnostics });
  const name = path.slice(path.lastIndexOf("/") + 1);
  try {
    const entry = files.list(path.slice(0, -name.length - 1))?.find((one) => one.name === name);
    if (entry?.kind !== "file") return bad(notWritten(`${FOLDER}/${name}`, done));
    const bytes = files.read(path, MAX_PLAN_BYTES);
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const read = readDraft(format, name, text);
    return read.problems.length === 0
      ? { kind: "good", value: { bytes, read } }
      : bad(...read.problems.slice(0, MOST_PROBLEMS));
  } catch (error) {
    if (error instanceof Failure) return bad(error.message);
    if (error instanceof TypeError) return bad(`${FOLDER}/${name} is no UTF-8 text`);
    throw error;
  }
}

function promptFor(format: DraftFormat, file: string, diagnostics: readonly string[]): string {
  const { rules, example, extension } = draftGuide(format);
  const questions =
    extension === "md"
      ? `a section \`## ${QUESTIONS_HEADING}\` at the end, \`- None.\` where nothing is open`
      : `the list \`${QUESTIONS_MEMBER}\`, empty where nothing is open`;
  return PROMPTS.plan.write({
    ...EMPTY_CONTEXT,
    plan: { path: file },
    focus: `The plan is of the format ${format}. ${rules} Nothing is done yet, so every box and status is open. List what the description leaves undecided, and what you assumed, in ${questions}. An example of the format:\n\n${fenced(example)}`,
    done: [
      `What is to be built is described in \`${FOLDER}/${DESCRIPTION}\`; read all of it first, then the code that it is about.`,
    ],
    diagnostics,
  });
}

const FENCE = "````";

const fenced = (text: string): string => `${FENCE}\n${text.trimEnd()}\n${FENCE}`;
