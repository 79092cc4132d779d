import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ask, Refused } from "../api.ts";
import { onNews } from "../live.ts";
import { Icon } from "../parts/icon.tsx";
import { Empty, Heading, Loading, Trouble } from "../parts/small.tsx";
import { Windowed } from "../parts/windowed.tsx";
import type { JournalEvent, PlanOverview } from "../types.ts";
import { plural, spaced } from "../words.ts";
import { EventLine } from "./event-line.tsx";

const ROW = 34;
/** What was scrolled past is asked for again when it is wanted: a page that stays open for days must not grow. */
const MOST_KEPT = 20_000;

interface Filter {
  readonly plan: string;
  readonly event: string;
  readonly find: string;
}

interface Page {
  readonly events: readonly JournalEvent[];
  readonly next: number | null;
}

const EVENTS = [
  "claimed",
  "started",
  "submitted",
  "verified",
  "rejected",
  "sent-back",
  "waits-to-land",
  "landed",
  "completed",
  "proved",
  "blocked",
  "released",
  "reset",
  "held",
  "retried",
  "reopened",
  "command-started",
  "command-ended",
  "session-opened",
  "session-resumed",
  "session-interrupted",
  "session-ended",
  "session-abandoned",
  "commit-recorded",
  "late-result-kept",
  "late-result-held",
  "worktree-created",
  "worktree-merged",
  "worktree-saved",
  "worktree-removed",
  "saved",
];

/** What happened, newest first; it follows by itself. */
export function Journal({ plans }: { readonly plans: readonly PlanOverview[] }) {
  const [filter, setFilter] = useState<Filter>({ plan: "", event: "", find: "" });
  const [text, setText] = useState("");
  useEffect(() => {
    const find = text.trim();
    // The same filter stays the same object: another one would load the list anew and lose the reader's place.
    const timer = setTimeout(
      () => setFilter((before) => (before.find === find ? before : { ...before, find })),
      250,
    );
    return () => clearTimeout(timer);
  }, [text]);
  const isFiltered = filter.plan !== "" || filter.event !== "" || filter.find !== "";
  const { events, error, isAll, more, newer, onTop } = useJournal(filter);
  const list = useRef<HTMLDivElement>(null);
  return (
    <div class="view journal full">
      <Heading title="Journal" about={`${plural(events.length, "line")} shown${isAll ? ", none left" : ""}`}>
        <label class="filter">
          <Icon name="search" />
          <input
            type="search"
            placeholder="Find"
            aria-label="Find in the journal"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <label class="select">
          Plan
          <select
            value={filter.plan}
            onChange={(event) => setFilter({ ...filter, plan: event.currentTarget.value })}
          >
            <option value="">all</option>
            {plans.map(({ plan_path }) => (
              <option key={plan_path} value={plan_path}>
                {plan_path}
              </option>
            ))}
          </select>
        </label>
        <label class="select">
          Event
          <select
            value={filter.event}
            onChange={(event) => setFilter({ ...filter, event: event.currentTarget.value })}
          >
            <option value="">all</option>
            {EVENTS.map((name) => (
              <option key={name} value={name}>
                {spaced(name)}
              </option>
            ))}
          </select>
        </label>
      </Heading>
      {error && <Trouble error={error} />}
      {events.length === 0 ? (
        isAll ? (
          <Empty icon="journal" title={isFiltered ? "No line matches" : "Nothing has happened yet"}>
            <p>
              {isFiltered
                ? "The whole journal was searched."
                : "Each change of state is a line here, with who made it."}
            </p>
          </Empty>
        ) : (
          !error && <Loading lines={10} />
        )
      ) : (
        <div class="followed">
          <div role="status">
            {newer !== undefined && (
              <button
                type="button"
                class="newer"
                onClick={() => {
                  onTop(true);
                  list.current?.scrollTo({ top: 0 });
                  list.current?.focus();
                }}
              >
                <Icon name="up" /> {newer > 0 ? `${newer.toLocaleString("en")} new` : "New lines"}
              </button>
            )}
          </div>
          <Windowed
            items={events}
            rowHeight={ROW}
            keyOf={(event) => event.id}
            label="Journal, newest first"
            row={(event) => <EventLine event={event} />}
            onEnd={more}
            onTop={onTop}
            scroller={list}
          />
        </div>
      )}
    </div>
  );
}

const withNewer = (
  events: readonly JournalEvent[],
  newer: readonly JournalEvent[],
): readonly JournalEvent[] => {
  const known = new Set(events.slice(0, MOST_HELD).map(({ id }) => id));
  return [...newer.filter(({ id }) => !known.has(id)), ...events].slice(0, MOST_KEPT);
};

/** A line that was reported while the page was on its way is in both. */
const withOlder = (
  events: readonly JournalEvent[],
  older: readonly JournalEvent[],
): readonly JournalEvent[] => {
  const known = new Set(events.map(({ id }) => id));
  return [...events, ...older.filter(({ id }) => !known.has(id))].slice(0, MOST_KEPT);
};

/** A person who reads further down for so long starts again, which costs less than keeping it all. */
const MOST_HELD = 2000;

/**
 * What comes while a person reads further down is only counted: lines that are read must not move away. It is there when
 * they are back at the top.
 */
interface Held {
  readonly events: readonly JournalEvent[];
  /** More was missed than is known of. */
  readonly isMore: boolean;
}

function withHeld(before: Held, event: JournalEvent): Held {
  if (before.isMore || before.events.some(({ id }) => id === event.id)) return before;
  return before.events.length >= MOST_HELD
    ? { events: [], isMore: true }
    : { events: [event, ...before.events], isMore: false };
}

const NONE_HELD: Held = { events: [], isMore: false };

function useJournal(filter: Filter) {
  const [events, setEvents] = useState<readonly JournalEvent[]>([]);
  const [error, setError] = useState<Refused>();
  const [isAll, setIsAll] = useState(false);
  const [held, setHeld] = useState<Held>(NONE_HELD);
  const isAtTop = useRef(true);
  const next = useRef<number | null | undefined>(undefined);
  const isBusy = useRef(false);
  /** Another object whenever everything is asked anew: an answer to an earlier one counts no more. */
  const current = useRef({ ...filter });
  const more = useCallback(async (): Promise<void> => {
    if (isBusy.current || next.current === null) return;
    isBusy.current = true;
    const mine = current.current;
    try {
      const page = await ask<Page>("/api/journal", { ...mine, before: next.current, most: 200 });
      if (mine === current.current) {
        next.current = page.next;
        setEvents((before) => withOlder(before, page.events));
        setIsAll(page.next === null);
        setError(undefined);
      }
    } catch (refused) {
      if (refused instanceof Refused && mine === current.current) setError(refused);
    }
    if (mine !== current.current) return;
    isBusy.current = false;
    // A rare event may lie far back: empty pages lead on.
    if (next.current !== null && next.current !== undefined) setPulse((n) => n + 1);
  }, []);
  const [pulse, setPulse] = useState(0);
  useEffect(() => {
    if (events.length < 40) void more();
  }, [pulse]);
  const begin = useRef<() => void>(() => undefined);
  useEffect(() => {
    begin.current = (): void => {
      isAtTop.current = true;
      setHeld(NONE_HELD);
      current.current = { ...filter };
      next.current = undefined;
      isBusy.current = false;
      setEvents([]);
      setIsAll(false);
      void more();
    };
    begin.current();
    return onNews((news) => {
      if (news.kind === "again") {
        if (isAtTop.current) begin.current();
        else setHeld({ events: [], isMore: true });
      }
      if (news.kind !== "journal") return;
      const { event } = news;
      const fits =
        (filter.plan === "" || event.plan_path === filter.plan) &&
        (filter.event === "" || event.event === filter.event) &&
        (filter.find === "" || JSON.stringify(event).toLowerCase().includes(filter.find.toLowerCase()));
      if (!fits) return;
      if (isAtTop.current) setEvents((before) => withNewer(before, [event]));
      else setHeld((before) => withHeld(before, event));
    });
  }, [filter]);
  const onTop = (isThere: boolean): void => {
    isAtTop.current = isThere;
    if (!isThere || held === NONE_HELD) return;
    setHeld(NONE_HELD);
    if (held.isMore) begin.current();
    else setEvents((before) => withNewer(before, held.events));
  };
  const newer = held === NONE_HELD ? undefined : held.isMore ? 0 : held.events.length;
  return { events, error, isAll, more: () => void more(), newer, onTop };
}
