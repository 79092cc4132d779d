import type { RunEvent } from "../../runs/index.ts";
import type { Context, Progress } from "../context.ts";
import { type LiveKeys, liveRun } from "./live-run.ts";
import { timeOfDay } from "./times.ts";
import { type LineFor, runLines } from "./run-lines.ts";
import { safeText } from "../../domain/index.ts";
import { plainJson, snakeCase } from "../../journal/index.ts";

/** Reports what happens during a run, in the way that fits the reader. */
export async function withReporter<T>(
  { progress, cwd, pawl }: Pick<Context, "progress" | "cwd" | "pawl">,
  work: (report: (event: RunEvent) => void) => Promise<T>,
  keys?: LiveKeys,
): Promise<T> {
  if (progress.mode !== "live") return work(reporterFor(progress, runLines(cwd)));
  const count = async (plan: string) => {
    const [found] = await (await pawl()).planProgress({ plan });
    return found && { plan, ...found };
  };
  const live = liveRun(progress, { lineFor: runLines(cwd), cwd, nowMs: Date.now, count, keys });
  try {
    return await work((event) => live.report(event));
  } finally {
    await live.end();
  }
}

function reporterFor(progress: Progress, lineFor: LineFor): (event: RunEvent) => void {
  if (progress.mode === "none") return () => undefined;
  if (progress.mode === "events")
    return (event) => progress.line(plainJson(snakeCase(withoutFunctions(event))));
  let isDone = false;
  return (event) => {
    isDone ||= event.event === "plan" && event.completed === event.total;
    // Where nothing is left to do, a session that starts and what contains its agent are no news.
    if (isDone && (event.event === "session" || event.event === "note")) return;
    progress.line(`${timeOfDay(event.at)} [${event.worker}] ${safeText(lineFor(event))}`);
  };
}

const withoutFunctions = (event: RunEvent): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(event).filter(([, value]) => typeof value !== "function"));
