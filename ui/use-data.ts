import { useEffect, useRef, useState } from "preact/hooks";
import { addressOf, ask, isTooMany, LATER_MS, type Params, Refused } from "./api.ts";
import { type News, onNews } from "./live.ts";

export interface Data<T> {
  /** What was heard last; it stays while it is asked for anew, so that nothing jumps. */
  readonly data: T | undefined;
  readonly error: Refused | undefined;
  readonly reload: () => void;
}

const GATHER_MS = 120;

/** Asks the server, and again whenever something happens that concerns it. */
export function useData<T>(
  path: string | undefined,
  params: Params = {},
  concerns: (news: News) => boolean = () => true,
): Data<T> {
  const [state, setState] = useState<{ readonly key: string; readonly data?: T; readonly error?: Refused }>({
    key: "",
  });
  const reload = useRef<() => void>(() => undefined);
  const about = useRef(concerns);
  about.current = concerns;
  const key = path === undefined ? "" : addressOf(path, params);
  useEffect(() => {
    if (key === "") return undefined;
    const stop = new AbortController();
    let isBusy = false;
    let isStale = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = async (): Promise<void> => {
      isBusy = true;
      isStale = false;
      try {
        const data = await ask<T>(key, {}, stop.signal);
        setState({ key, data });
      } catch (error) {
        if (isTooMany(error)) later(LATER_MS);
        else if (error instanceof Refused && !stop.signal.aborted)
          setState((before) => (before.key === key ? { ...before, error } : { key, error }));
      }
      isBusy = false;
      if (isStale) later();
    };
    const later = (ms = GATHER_MS): void => {
      if (stop.signal.aborted) return;
      clearTimeout(timer);
      timer = setTimeout(() => void load(), ms);
    };
    reload.current = () => later();
    void load();
    const unlisten = onNews((news) => {
      if (news.kind !== "again" && !about.current(news)) return;
      if (isBusy) isStale = true;
      else later();
    });
    return () => {
      stop.abort();
      clearTimeout(timer);
      unlisten();
    };
  }, [key]);
  const isCurrent = state.key === key;
  return {
    data: isCurrent ? state.data : undefined,
    error: isCurrent ? state.error : undefined,
    reload: () => reload.current(),
  };
}
