import { useEffect, useState } from "preact/hooks";
import { duration, roughly } from "../words.ts";

const tickers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for the whole page. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const tick = (): void => setNow(Date.now());
    tickers.add(tick);
    timer ??= setInterval(() => {
      for (const one of tickers) one();
    }, 1000);
    return () => {
      tickers.delete(tick);
      if (tickers.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, []);
  return now;
}

const JUST_NOW_MS = 5000;

/** How long ago; the exact instant when one points at it. */
export function Ago({ at }: { readonly at: string | null }) {
  const now = useNow();
  if (at === null) return null;
  const age = now - Date.parse(at);
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {age < JUST_NOW_MS ? "just now" : `${roughly(age)} ago`}
    </time>
  );
}

/** How long until a lease or a limit is over. */
export function Until({ at, over }: { readonly at: string; readonly over: string }) {
  const left = Date.parse(at) - useNow();
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {left > 0 ? `${roughly(left)} left` : over}
    </time>
  );
}

/** How long it took, behind when it began; of what still runs, that says it already. */
export const Took = ({ from, until }: { readonly from: string; readonly until: string | null }) =>
  until === null ? null : (
    <>
      , took <Lasted from={from} until={until} />
    </>
  );

/** How long something took, or has taken so far; `isRough` where there is room for one unit. */
export function Lasted({
  from,
  until,
  isRough = false,
}: {
  readonly from: string;
  readonly until: string | null;
  readonly isRough?: boolean;
}) {
  const now = useNow();
  const words = isRough ? roughly : duration;
  return (
    <span class="numbers">
      {words(Math.max((until === null ? now : Date.parse(until)) - Date.parse(from), 0))}
    </span>
  );
}
