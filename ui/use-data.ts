import { useEffect, useRef, useState } from "preact/hooks";
import { addressOf, ask, isTooMany, LATER_MS, type Params, Refused } from "./api.ts";
import { type Again, gather } from "./gather.ts";
import { type News, onNews } from "./live.ts";

export interface Data<T> {
  /** What was received last; it stays while it is asked for anew, so that nothing jumps. */
  readonly data: T | undefined;
  readonly error: Refused | undefined;
  readonly reload: () => void;
}

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
    const load = async (): Promise<Again> => {
      try {
        const data = await ask<T>(key, {}, stop.signal);
        setState({ key, data });
      } catch (error) {
        if (isTooMany(error)) return LATER_MS;
        if (error instanceof Refused && !stop.signal.aborted)
          setState((before) => (before.key === key ? { ...before, error } : { key, error }));
      }
      return undefined;
    };
    const loading = gather(load);
    reload.current = () => loading.soon();
    loading.soon();
    const unlisten = onNews((news) => {
      if (news.kind === "again" || about.current(news)) loading.soon();
    });
    return () => {
      stop.abort();
      loading.stop();
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
