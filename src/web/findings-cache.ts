import type { FindingCard } from "./wire.ts";

type Cards = readonly FindingCard[];

/** What recovery would find, for everybody who looks at the page. */
export interface FindingsCache {
  /** What was found last, unless something has happened since: for windows that follow along, without haste. */
  readonly known: () => Promise<Cards>;
  /** The same for a person who waits for it. */
  readonly current: () => Promise<Cards>;
  /** Looks now: a person is about to act on it. */
  readonly fresh: () => Promise<Cards>;
}

export interface FindingsCacheSetting {
  readonly look: () => Promise<Cards>;
  /** Another one when something has happened. */
  readonly sign: () => Promise<string>;
  readonly nowMs: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
}

/** Leases end and folders go without a line in the journal. */
const OLDEST_MS = 60_000;
/** Where agents write to the journal all the time, looking takes no more than a quarter of it. */
const RESTS = 3;
const LONGEST_REST_MS = 10_000;

/** One look at a time, and none as long as there is nothing new to see. */
export function findingsCache({ look, sign, nowMs, pause }: FindingsCacheSetting): FindingsCache {
  let kept: { readonly sign: string; readonly cards: Cards; readonly at: number } | undefined;
  let running: { readonly sign: string; readonly cards: Promise<Cards> } | undefined;
  let next: Promise<Cards> | undefined;
  let restUntil = 0;

  const begin = (seen: string): Promise<Cards> => {
    const from = nowMs();
    const run = async (): Promise<Cards> => {
      try {
        const cards = await look();
        kept = { sign: seen, cards, at: nowMs() };
        return cards;
      } finally {
        running = undefined;
        restUntil = nowMs() + Math.min(RESTS * (nowMs() - from), LONGEST_REST_MS);
      }
    };
    running = { sign: seen, cards: run() };
    return running.cards;
  };

  /** A call that comes while a look runs may know of something that it has not seen: the next one is theirs. */
  const fresh = (): Promise<Cards> => {
    const go = async (): Promise<Cards> => {
      await running?.cards.catch(() => undefined);
      let seen: string;
      try {
        seen = await sign();
      } finally {
        next = undefined;
      }
      return begin(seen);
    };
    return (next ??= go());
  };

  const isGood = (now: string): boolean => kept?.sign === now && nowMs() - kept.at < OLDEST_MS;

  /** Decides in one go once it knows the sign, so that two who ask at once share one look. */
  const current = async (): Promise<Cards> => {
    const now = await sign();
    if (isGood(now)) return kept!.cards;
    return running?.sign === now ? running.cards : fresh();
  };

  return {
    fresh,
    current,
    async known() {
      if (isGood(await sign())) return kept!.cards;
      await pause(Math.max(restUntil - nowMs(), 0));
      return current();
    },
  };
}
