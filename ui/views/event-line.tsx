import { Ago } from "../parts/time.tsx";
import { to } from "../router.ts";
import type { JournalEvent } from "../types.ts";
import { factWords, spaced } from "../words.ts";

/** One line of the journal. */
export const EventLine = ({
  event,
  isShort = false,
}: {
  readonly event: JournalEvent;
  readonly isShort?: boolean;
}) => {
  const more = detailOf(event.detail);
  return (
    <div class={`event-line ${toneOf(event.event)}`} title={more}>
      <span class="muted when">
        <Ago at={event.at} />
      </span>
      <span class="event">{spaced(event.event)}</span>
      {!isShort && (
        <span class="what">
          {event.plan_path !== null &&
            (event.anchor === null ? (
              <a href={to("plan", event.plan_path, "board")}>{event.plan_path}</a>
            ) : (
              <a href={to("plan", event.plan_path, "step", event.anchor)}>{event.anchor}</a>
            ))}
        </span>
      )}
      <span class="more">{more}</span>
      {!isShort && <span class="muted by">{event.worktree?.split("/").at(-1)}</span>}
    </div>
  );
};

const GOOD = /^(completed|landed|proved|session-completed|merged)/;
const BAD = /(blocked|sent-back|interrupted|lost|rejected|failed|late)/;

const toneOf = (name: string): string => (GOOD.test(name) ? "done" : BAD.test(name) ? "stopped" : "");

/** What is known beside, in a few words; hashes shortened. */
function detailOf(detail: Readonly<Record<string, unknown>>): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== "" && value !== false)
    .map(([key, value]) => `${spaced(key)}: ${factWords(value)}`)
    .join(" · ")
    .slice(0, 400);
}
