import { useEffect, useState } from "preact/hooks";
import { ask, Refused } from "./api.ts";

/** The last thing that an agent at work said or did. */
export interface Doing {
  readonly session_id: string;
  readonly anchor: string | null;
  readonly plan_path: string | null;
  readonly line: string | null;
}

const LOOK_MS = 2000;

/** Follows what agents do, by session, for as long as some are at work and the page is visible. */
export function useDoing(isWorking: boolean): ReadonlyMap<string, string> {
  const [lines, setLines] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    if (!isWorking) return undefined;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      try {
        if (!document.hidden) {
          const { doing } = await ask<{ readonly doing: readonly Doing[] }>("/api/doing", {}, stop.signal);
          setLines(
            new Map(doing.flatMap(({ session_id, line }) => (line === null ? [] : [[session_id, line]]))),
          );
        }
      } catch (error) {
        if (!(error instanceof Refused)) return;
      }
      if (!stop.signal.aborted) timer = setTimeout(() => void look(), LOOK_MS);
    };
    void look();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [isWorking]);
  return lines;
}
