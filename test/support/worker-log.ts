import { existsSync, readFileSync, truncateSync } from "node:fs";
import type { HistoryAnswer, HistoryCall } from "./history-checker.ts";

/** One line of a worker's log. */
export type LogLine =
  | {
      readonly told: "asked";
      readonly id: string;
      readonly worker: string;
      readonly worktree: string;
      readonly verb: string;
      readonly again: boolean;
      readonly request: Readonly<Record<string, unknown>>;
      readonly at: number;
    }
  | {
      readonly told: "heard";
      readonly id: string;
      readonly at: number;
      readonly ok: boolean;
      readonly code?: string | undefined;
      readonly unexpected?: string | undefined;
      readonly anchor?: string | null | undefined;
      readonly claim?: number | null | undefined;
    };

export interface WorkerHistory {
  readonly calls: readonly HistoryCall[];
  /** Answers that were received. */
  readonly operations: number;
  readonly acknowledged: Readonly<Record<string, number>>;
  /** Refusals that no worker should ever get. */
  readonly unexpected: readonly string[];
}

/**
 * Takes away what a kill left of the last line of a log, for the worker's next life to write on behind whole lines only.
 *
 * A write that ends in another page than it begins in can be cut off between them.
 */
export function dropCutOff(path: string): void {
  if (!existsSync(path)) return;
  const bytes = readFileSync(path);
  truncateSync(path, bytes.lastIndexOf("\n") + 1);
}

/** What all workers asked and received. The last line of a log may be cut off by the kill; nothing before it may. */
export function readLogs(paths: readonly string[]): WorkerHistory {
  const calls: HistoryCall[] = [];
  const unexpected: string[] = [];
  const acknowledged: Record<string, number> = {};
  let operations = 0;
  for (const path of paths) {
    const lines = readLog(path);
    const heard = new Map(lines.filter((line) => line.told === "heard").map((line) => [line.id, line]));
    for (const line of lines) {
      if (line.told !== "asked") continue;
      const answer = heard.get(line.id);
      if (answer) operations += 1;
      if (answer?.ok) acknowledged[line.verb] = (acknowledged[line.verb] ?? 0) + 1;
      if (answer?.unexpected !== undefined)
        unexpected.push(`${line.worker} ${line.verb}: ${answer.code} ${answer.unexpected}`);
      calls.push(toCall(line, answer));
    }
  }
  return { calls, operations, acknowledged, unexpected };
}

type Asked = Extract<LogLine, { told: "asked" }>;
type Heard = Extract<LogLine, { told: "heard" }>;

function toCall(
  { worker, worktree, verb, again, request, at }: Asked,
  heard: Heard | undefined,
): HistoryCall {
  const answer: HistoryAnswer | undefined = heard && {
    endedAt: heard.at,
    ok: heard.ok,
    code: heard.code,
    anchor: heard.anchor ?? undefined,
    claim: heard.claim ?? undefined,
  };
  return {
    worker,
    worktree,
    verb,
    again,
    step: request["step"] as string | undefined,
    claim: request["claim"] as number | undefined,
    requestId: request["requestId"] as string | undefined,
    startedAt: at,
    answer,
  };
}

export function readLog(path: string): readonly LogLine[] {
  const texts = readFileSync(path, "utf8").split("\n");
  const last = texts.pop() ?? "";
  const lines = texts.map((text) => JSON.parse(text) as LogLine);
  try {
    if (last !== "") lines.push(JSON.parse(last) as LogLine);
  } catch {
    // Cut off in the middle of a line: no worker acted on it.
  }
  return lines;
}
