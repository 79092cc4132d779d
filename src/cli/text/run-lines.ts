import { plural, sessionName, shellWord, usageText } from "../../domain/index.ts";
import type { FailedAttempt, Holder, RunEvent } from "../../runs/index.ts";
import { holderText, nearPath } from "./holder.ts";
import { localTime, localTimes } from "./times.ts";

/** The words for one happening of a run. */
export type LineFor = (event: RunEvent) => string;

type Lines = {
  readonly [K in RunEvent["event"]]: (event: Extract<RunEvent, { readonly event: K }>) => string;
};

/**
 * One line for people of each thing that happens in a run, seen from a folder.
 *
 * What was printed before is remembered where it makes a line shorter: a log is named when there is a reason to read it,
 * and a worktree of this run is its worker.
 */
export function runLines(cwd: string): LineFor {
  const logs = new Map<number, string>();
  const workers = new Map<string, number>();
  let planName = "";
  const holder = ({ step, worktree, host, session, stopped }: Holder): string => {
    const where = holderText(worktree, host, cwd);
    if (stopped !== undefined) return `held by ${where}, which is ${stopped}`;
    const worker = worktree === null || host !== null ? undefined : workers.get(worktree);
    if (worker !== undefined) return `worker ${worker}`;
    if (session !== null || worktree === null || host !== null) return `held by ${where}`;
    const back = `pawl state release ${shellWord(planName)} ${shellWord(step)} --worktree ${shellWord(nearPath(worktree, cwd))}`;
    return `claimed by hand in ${where}; release it with: ${back}`;
  };
  const lines: Lines = {
    plan: ({ plan, total, completed }) => {
      planName = plan;
      return `${plan}${completed === total ? " is done" : ""}: ${completed} of ${plural(total, "step")} completed`;
    },
    session: ({ worker, session, resumed, worktree }) => {
      workers.set(worktree, worker);
      return `session ${sessionName(session)} ${resumed ? "resumed" : "started"} in ${nearPath(worktree, cwd)}`;
    },
    claimed: ({ step, title, again }) => `${step}: ${title}${again ? " (again)" : ""}`,
    command: ({ worker, step, iteration, command, again, log }) => {
      logs.set(worker, log);
      const check = step === undefined ? TREE_CHECKS[command] : undefined;
      if (check !== undefined) return `${check.what}: running`;
      return `${step ?? `iteration ${iteration}`}: ${command}${again ? " again" : ""}`;
    },
    "command-ended": (event) => commandEnded(event, { log: logs.get(event.worker), cwd }),
    "agent-changed": agentChanged,
    silent,
    refused,
    retrying,
    said: ({ step, text }) => `${step}: | ${text}`,
    verifying: ({ step, attempt }) => `${step}: verifying (attempt ${attempt})`,
    verdict: (event) => verdictText(event, cwd, logs.get(event.worker)),
    "sent-back": ({ step, because }) => `${step}: sent back to its agent: ${because}`,
    "waits-to-land": waitsToLand,
    committed: ({ step, commit }) => `${step}: committed ${commit.slice(0, 12)}`,
    completed: ({ step, commit }) => `${step}: completed with ${commit.slice(0, 12)}`,
    blocked: ({ step, note }) => `${step}: blocked: ${note}`,
    halted: ({ because }) => `the run claims no more steps: ${because}`,
    paused,
    waiting: (event) =>
      `waiting for ${event.for
        .map((step) => {
          const held = event.holders?.find((one) => one.step === step);
          return held === undefined ? step : `${step} (${holder(held)})`;
        })
        .join(", ")}${event.remote === undefined ? "" : ` to land: ${event.remote} does not answer`}`,
    stopping: ({ signal, running }) =>
      `${signal}: stopping${running.length === 0 ? "" : ` ${running.join(", ")}`}; a second signal leaves without waiting`,
    lost: ({ step, because }) => `${step} was lost: ${because}`,
    note: ({ text }) => localTimes(text),
  };
  return (event) => (lines[event.event] as LineFor)(event);
}

function commandEnded(
  {
    step,
    command,
    outcome,
    durationMs,
    files,
    usage,
  }: Extract<RunEvent, { readonly event: "command-ended" }>,
  { log, cwd }: { readonly log: string | undefined; readonly cwd: string },
): string {
  const seconds = `${Math.round(durationMs / 1000)} s`;
  const check = step === undefined ? TREE_CHECKS[command] : undefined;
  const said = check && (outcome === "finished" ? check.passed : outcome === "failed" && check.failed);
  if (check && said) return `${check.what}: ${said} (${seconds})`;
  // What failed is followed by a headline that names the log.
  const isNamed = outcome !== "finished" && !(outcome === "failed" && step !== undefined);
  const where = isNamed && log !== undefined ? `, log ${nearPath(log, cwd)}` : "";
  return `${step === undefined ? "" : `${step}: `}${command} ${outcome.replaceAll("_", " ")} after ${seconds}${changedText(files)}${usage === undefined ? "" : `, ${usageText(usage)}`}${where}`;
}

/**
 * Checks of a whole tree, which belong to no step. A line before each says why it runs, and one behind a failure what
 * comes of it.
 */
const TREE_CHECKS: Readonly<Record<string, { what: string; passed: string; failed: string } | undefined>> = {
  counterfactual: {
    what: "new tests on the old code",
    passed: "they pass, so they do not prove the change",
    failed: "they fail, as they should",
  },
  full: { what: "full check", passed: "passed", failed: "failed" },
  merge: { what: "check of the merged tree", passed: "passed", failed: "failed" },
  sync: { what: "check with the base merged in", passed: "passed", failed: "failed" },
  revert: { what: "check without the reverted step", passed: "passed", failed: "failed" },
};

/** Where git cannot read what an agent left, a number would be untrue; what comes of it is said below. */
function changedText(files: readonly string[] | undefined): string {
  if (files === undefined) return "";
  return files.length === 0 ? ", no file changed" : `, ${plural(files.length, "file")} changed`;
}

function verdictText(
  { step, attempt, outcome, because, where, failed }: Extract<RunEvent, { readonly event: "verdict" }>,
  cwd: string,
  agentLog: string | undefined,
): string {
  if (failed === undefined)
    return `${step}: ${because.startsWith(outcome) ? because : `${outcome}: ${because}`}${where === undefined ? "" : ` (${where})`}`;
  // Of what Pawl found itself, the log of its agent says how it came to that.
  const log = failed.log ?? agentLog;
  const whole = log === undefined ? "" : `; log ${nearPath(log, cwd)}`;
  return `${step}: ${attemptText(attempt, because, failed)}${whole}`;
}

/** `npm test failed (exit 1), attempt 2 of 3`. What Pawl found itself has no exit code, and its reason says more. */
function attemptText(
  attempt: number,
  because: string,
  { what, timedOut, exitCode, most }: FailedAttempt,
): string {
  const count = `attempt ${attempt} of ${most}`;
  if (timedOut) return `${what} timed out, ${count}`;
  return exitCode === null ? `${count} failed: ${because}` : `${what} failed (exit ${exitCode}), ${count}`;
}

const agentChanged: Lines["agent-changed"] = ({ step, from, to, until, because }) =>
  `${step}: ${from} cannot continue${until === undefined ? "" : ` until ${localTime(until)}`} (${because}); ${to} takes over`;

const silent: Lines["silent"] = ({ step, agent, silentMs }) =>
  `${step === undefined ? "" : `${step}: `}${agent} printed nothing and changed no file for ${duration(silentMs)}; it is interrupted`;

const duration = (ms: number): string =>
  ms < 60_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;

const waitsToLand: Lines["waits-to-land"] = ({ step, behind, outcome }) =>
  outcome === "passed"
    ? `${step}: verified, waits to land behind ${behind}`
    : `${step}: fails on top of ${behind}, waits until that has landed`;

const retrying: Lines["retrying"] = ({ step, agent, said }) =>
  `${step === undefined ? "" : `${step}: `}${agent} waits for its model's server: ${said}`;

const refused: Lines["refused"] = ({ step, agent, what, allowWith }) =>
  `${step === undefined ? "" : `${step}: `}${agent} was refused: ${what}. Allow it with ${allowWith}`;

const paused: Lines["paused"] = ({ until, because }) =>
  `paused${until === undefined ? "" : ` until ${localTime(until)}`}: ${because}`;
