import { sessionName } from "../../domain/session-name.ts";
import { plural } from "../../domain/plural.ts";
import type { RunEvent } from "../../flow/run/run-event.ts";
import type { Context, Progress } from "../context.ts";
import { plainJson } from "../envelope.ts";
import { snakeCase } from "../snake-case.ts";
import { liveRun } from "./live-run.ts";
import { safeText } from "../../domain/safe-text.ts";

/** Tells what happens while work goes on, in the way that fits whoever looks. */
export async function telling<T>(
  { progress }: Pick<Context, "progress">,
  work: (tell: (event: RunEvent) => void) => Promise<T>,
): Promise<T> {
  if (progress.mode !== "live") return work(tellerFor(progress));
  const live = liveRun(progress, lineFor, Date.now);
  try {
    return await work((event) => live.tell(event));
  } finally {
    live.end();
  }
}

function tellerFor(progress: Progress): (event: RunEvent) => void {
  if (progress.mode === "none") return () => undefined;
  if (progress.mode === "events")
    return (event) => progress.line(plainJson(snakeCase(withoutFunctions(event))));
  return (event) => progress.line(`${event.at.slice(11, 19)} ${safeText(lineFor(event))}`);
}

const withoutFunctions = (event: RunEvent): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(event).filter(([, value]) => typeof value !== "function"));

type Lines = {
  readonly [K in RunEvent["event"]]: (event: Extract<RunEvent, { readonly event: K }>) => string;
};

const LINES: Lines = {
  plan: ({ plan, total, completed }) => `${plan}: ${completed} of ${plural(total, "step")} completed`,
  session: ({ session, resumed, worktree }) =>
    `session ${sessionName(session)} ${resumed ? "goes on" : "begins"} in ${worktree}`,
  claimed: ({ step, title, again }) => `${step}: ${title}${again ? " (again)" : ""}`,
  command: ({ step, iteration, command, again, log }) =>
    `${step ?? `iteration ${iteration}`}: ${command}${again ? " again" : ""}, log ${log}`,
  "command-ended": ({ step, command, outcome, durationMs, files }) =>
    `${step === undefined ? "" : `${step}: `}${command} ${outcome} after ${Math.round(durationMs / 1000)} s, ${plural(files.length, "file")} changed`,
  said: ({ step, text }) => `${step}: | ${text}`,
  verifying: ({ step, attempt }) => `${step}: verifying (attempt ${attempt})`,
  verdict: ({ step, outcome, because }) =>
    `${step}: ${because.startsWith(outcome) ? because : `${outcome}: ${because}`}`,
  committed: ({ step, commit }) => `${step}: committed ${commit.slice(0, 12)}`,
  completed: ({ step, commit }) => `${step}: completed with ${commit.slice(0, 12)}`,
  blocked: ({ step, reason, note }) => `${step}: blocked (${reason}): ${note}`,
  paused: ({ until, because }) => `paused${until === undefined ? "" : ` until ${until}`}: ${because}`,
  waiting: (event) => `waits for ${(event.holders ?? event.for).join(", ")}`,
  lost: ({ step, because }) => `${step} was lost: ${because}`,
  note: ({ text }) => text,
};

/** One line for people. */
export const lineFor = (event: RunEvent): string =>
  `[${event.worker}] ${(LINES[event.event] as (event: RunEvent) => string)(event)}`;
