import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ask, Refused } from "../api.ts";
import { onNews } from "../live.ts";
import { Empty, Heading, Loading, Trouble } from "../parts/small.tsx";
import { Windowed } from "../parts/windowed.tsx";
import type { JournalEvent, PlanGlance } from "../types.ts";
import { plural, spaced } from "../words.ts";
import { EventLine } from "./event-line.tsx";

const ROW = 34;
/** What was scrolled past is asked for again when it is wanted: a page that stays open for days must not grow. */
const MOST_KEPT = 20_000;

interface Filter {
  readonly plan: string;
  readonly event: string;
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
  "worktree-created",
  "worktree-merged",
  "worktree-saved",
  "worktree-removed",
  "saved",
];

/** What happened, newest first; it follows by itself. */
export function Journal({ plans }: { readonly plans: readonly PlanGlance[] }) {
  const [filter, setFilter] = useState<Filter>({ plan: "", event: "" });
  const { events, error, isAll, more } = useJournal(filter);
  return (
    <div class="view journal full">
      <Heading
        title="Journal"
        about={`${plural(events.length, "line")} shown${isAll ? ", all there are" : ""}`}
      >
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
          <Empty icon="journal" title="Nothing has happened yet">
            <p>Every change of state is a line here, with who made it.</p>
          </Empty>
        ) : (
          !error && <Loading lines={10} />
        )
      ) : (
        <Windowed
          items={events}
          rowHeight={ROW}
          keyOf={(event) => event.id}
          label="Journal, newest first"
          row={(event) => <EventLine event={event} />}
          onEnd={more}
        />
      )}
    </div>
  );
}

function useJournal(filter: Filter) {
  const [events, setEvents] = useState<readonly JournalEvent[]>([]);
  const [error, setError] = useState<Refused>();
  const [isAll, setIsAll] = useState(false);
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
        setEvents((before) => [...before, ...page.events].slice(0, MOST_KEPT));
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
  useEffect(() => {
    const begin = (): void => {
      current.current = { ...filter };
      next.current = undefined;
      isBusy.current = false;
      setEvents([]);
      setIsAll(false);
      void more();
    };
    begin();
    return onNews((news) => {
      if (news.kind === "again") begin();
      if (news.kind !== "journal") return;
      const { event } = news;
      const fits =
        (filter.plan === "" || event.plan_path === filter.plan) &&
        (filter.event === "" || event.event === filter.event);
      if (fits)
        setEvents((before) =>
          before.some(({ id }) => id === event.id) ? before : [event, ...before].slice(0, MOST_KEPT),
        );
    });
  }, [filter]);
  return { events, error, isAll, more: () => void more() };
}
