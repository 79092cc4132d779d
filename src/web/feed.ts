import { LATE_LINES } from "../domain/index.ts";
import { type EventView, snakeCase } from "../journal/index.ts";
import type { Pawl } from "../api.ts";
import { MOST_FILES, newestLineOf } from "./change-stamps.ts";

/** One message to a page: a line of the journal, or something that no journal knows of. */
export interface Message {
  readonly kind: "journal" | "file" | "plans" | "job" | "reset";
  /** The number of the line; what is not in the journal has none, and a page that missed it asks anew anyway. */
  readonly id?: number;
  readonly data: Readonly<Record<string, unknown>>;
}

export type Hear = (message: Message) => void;

/** Tells pages what happens, from wherever it happens. */
export interface Feed {
  /** From a line of the journal on; from now on when there is none. Answers with how to stop. */
  readonly listen: (after: number | undefined, hear: Hear) => Promise<() => void>;
  readonly publish: (message: Message) => void;
  readonly listeners: () => number;
  /** Whether the journal could be read lately: else silence means nothing. */
  readonly isWell: () => boolean;
  readonly close: () => void;
}

const LOOK_MS = 100;
const FILES_MS = 200;
const PLANS_MS = 1000;
/** A page that was away for longer reads everything anew, which costs less than telling it all. */
const MOST_MISSED = 2000;
const BATCH = 500;
/** In how many looks one is for lines that came late. */
const LATE_EVERY = 10;

/** A look that takes longer is left alone, and the next one begins. */
const MOST_LOOK_MS = 4000;

interface Listener {
  cursor: number;
  readonly told: Set<number>;
  readonly hear: Hear;
}

export interface FeedSetting {
  readonly pawl: Pick<Pawl, "newestLine" | "events" | "list">;
  /** Another text whenever the file of a plan is another. */
  readonly signOf: (planPath: string) => Promise<string>;
  /** Another text whenever plans came or went that have no state yet. */
  readonly signOfPlans: () => Promise<string>;
  readonly nowMs: () => number;
}

export function journalFeed({ pawl, signOf, signOfPlans, nowMs }: FeedSetting): Feed {
  const listeners = new Set<Listener>();
  const publish = (message: Message): void => {
    for (const { hear } of listeners) hear(message);
  };
  let timer: NodeJS.Timeout | undefined;
  let wellAt = nowMs();
  let rounds = 0;
  const journal = async (): Promise<void> => {
    rounds += 1;
    const newest = await newestLineOf(pawl);
    const again = rounds % LATE_EVERY === 0 ? LATE_LINES : 0;
    for (const listener of listeners)
      if (newest > listener.cursor || again > 0) await tell(pawl, listener, newest, again);
    wellAt = nowMs();
  };
  const lookAtJournal = oneAtATime(journal, MOST_LOOK_MS, nowMs);
  // A disk that does not answer keeps a thread for each look at it: so there is never more than one.
  const lookAtFiles = oneAtATime(watchFiles(pawl, signOf, publish), Infinity, nowMs);
  const plans = watchPlans(signOfPlans, publish);
  const lookForPlans = oneAtATime(plans, Infinity, nowMs);
  let turns = 0;
  const look = (): void => {
    if (listeners.size === 0) return;
    lookAtJournal();
    turns += 1;
    if (turns % Math.round(FILES_MS / LOOK_MS) === 0) lookAtFiles();
    if (turns % Math.round(PLANS_MS / LOOK_MS) === 0) lookForPlans();
  };
  return {
    async listen(after, hear) {
      // A page that listens from now on reads what is there after this: a file that comes later is news.
      await plans().catch(() => undefined);
      const newest = await newestLineOf(pawl);
      const isLost = after !== undefined && (after > newest || newest - after > MOST_MISSED);
      if (isLost) hear({ kind: "reset", id: newest, data: {} });
      const cursor = after === undefined || isLost ? newest : after;
      const before =
        cursor === 0 ? [] : await pawl.events({ after: Math.max(cursor - LATE_LINES, 0), most: LATE_LINES });
      const told = new Set(before.map(({ id }) => id).filter((id) => id <= cursor));
      const listener: Listener = { cursor, told, hear };
      listeners.add(listener);
      timer ??= setInterval(look, LOOK_MS);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    publish,
    listeners: () => listeners.size,
    isWell: () => nowMs() - wellAt < 2 * MOST_LOOK_MS,
    close: () => clearInterval(timer),
  };
}

/** Begins something unless it is under way; what is under way for too long does not count any more. */
function oneAtATime(work: () => Promise<void>, mostMs: number, nowMs: () => number): () => void {
  let current: { readonly since: number } | undefined;
  return () => {
    if (current !== undefined && nowMs() - current.since < mostMs) return;
    const mine = { since: nowMs() };
    current = mine;
    void work()
      .catch(() => {
        // A page that asks for something learns what is wrong, and pages that receive nothing say so. The next look may
        // succeed; and a run that works in this process must not end because of a page.
      })
      .finally(() => {
        if (current === mine) current = undefined;
      });
  };
}

async function tell(
  pawl: Pick<Pawl, "events">,
  listener: Listener,
  newest: number,
  again: number,
): Promise<void> {
  const { told, hear } = listener;
  const from = Math.max(listener.cursor - again, 0);
  if (newest === 0) return;
  for (const event of await pawl.events({ after: from, most: BATCH })) {
    if (told.has(event.id)) continue;
    told.add(event.id);
    listener.cursor = Math.max(listener.cursor, event.id);
    hear(messageOf(event));
  }
  if (told.size > 4 * LATE_LINES)
    for (const id of [...told].sort((a, b) => a - b).slice(0, -2 * LATE_LINES)) told.delete(id);
}

const messageOf = (event: EventView): Message => ({ kind: "journal", id: event.id, data: snakeCase(event) });

/** Says when a file came or went that could be a plan: it has no state, so no journal has it. */
function watchPlans(
  signOfPlans: FeedSetting["signOfPlans"],
  publish: (message: Message) => void,
): () => Promise<void> {
  let before: string | undefined;
  return async () => {
    const now = await signOfPlans();
    if (before !== undefined && before !== now) publish({ kind: "plans", data: {} });
    before = now;
  };
}

/** New plans show in the journal; it is enough to know their files a little later. */
const LIST_EVERY = 20;

/** Says when the file of a plan was changed, went or came: editors write no journal. */
function watchFiles(
  pawl: Pick<Pawl, "list">,
  signOf: FeedSetting["signOf"],
  publish: (message: Message) => void,
): () => Promise<void> {
  const known = new Map<string, string>();
  let plans: readonly string[] = [];
  let rounds = 0;
  return async () => {
    if (rounds % LIST_EVERY === 0)
      plans = (await pawl.list().catch(() => [])).map(({ planPath }) => planPath).slice(0, MOST_FILES);
    rounds += 1;
    for (const planPath of plans) {
      const now = await signOf(planPath);
      const before = known.get(planPath);
      known.set(planPath, now);
      if (before !== undefined && before !== now)
        publish({ kind: "file", data: { plan_path: planPath, is_there: now !== "" } });
    }
  };
}
