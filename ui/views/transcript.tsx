import { useEffect, useRef, useState } from "preact/hooks";
import { CopyButton } from "../parts/copy.tsx";
import { Icon } from "../parts/icon.tsx";
import { Trouble } from "../parts/small.tsx";
import { type TranscriptItem, useTranscript } from "../transcript-data.tsx";
import { useBlockWindow } from "../block-window.ts";
import { Opened } from "./event-row.tsx";

/** What a command says and does, as it does; older parts come when they are scrolled to. */
export function Transcript({
  session,
  command,
  status,
  sought,
}: {
  /** What to look for at first. */
  readonly sought: string;
  readonly session: string;
  readonly command: number;
  readonly status: string;
}) {
  const [find, setFind] = useState(sought);
  const [wanted, setWanted] = useState(sought);
  const [isErrors, setIsErrors] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWanted(find.trim()), 250);
    return () => clearTimeout(timer);
  }, [find]);
  const filter = { find: wanted, errors: isErrors ? 1 : undefined };
  const read = useTranscript(session, command, status, filter);
  const box = useRef<HTMLDivElement>(null);
  const opened = useRef(new Set<string>()).current;
  const shown = useBlockWindow(box, read);
  const isFiltered = wanted !== "" || isErrors;
  return (
    <section class="panel output transcript" aria-labelledby="output">
      <div class="transcript-head">
        <h2 id="output">
          What command {command} did {read.isLive && <span class="badge working">live</span>}
        </h2>
        <label class="filter">
          <Icon name="search" />
          <input
            type="search"
            placeholder="Find"
            aria-label="Find in the transcript"
            value={find}
            onInput={(event) => setFind(event.currentTarget.value)}
          />
        </label>
        <label class="toggle">
          <input
            type="checkbox"
            checked={isErrors}
            onChange={(event) => setIsErrors(event.currentTarget.checked)}
          />{" "}
          Errors only
        </label>
        <CopyButton
          text={() => read.blocks.flatMap(({ events }) => events.map(plainText)).join("\n")}
          what="what is loaded"
        />
      </div>
      {read.error && <Trouble error={read.error} />}
      <div
        ref={box}
        class="events"
        role="log"
        aria-live="off"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
        tabIndex={0}
        aria-label="Transcript"
        onScroll={shown.onScroll}
      >
        {read.isMore && (
          <button type="button" class="quiet older" onClick={read.more}>
            Older
          </button>
        )}
        <Opened.Provider value={opened}>
          <div style={{ height: `${shown.above}px` }} />
          {shown.blocks.map(({ drawn }) => drawn)}
          <div style={{ height: `${shown.below}px` }} />
        </Opened.Provider>
        {read.isRead && read.blocks.length === 0 && (
          <p class="muted none">{isFiltered ? "Nothing like that was found." : "Nothing was printed."}</p>
        )}
      </div>
      {!shown.isAtEnd && (
        <button type="button" class="latest" onClick={shown.toEnd}>
          Jump to latest
        </button>
      )}
    </section>
  );
}

const plainText = (event: TranscriptItem): string =>
  event.kind === "call"
    ? `${event.tool}: ${event.detail ?? ""}`
    : event.kind === "refused"
      ? `refused: ${event.what ?? ""}`
      : (event.text ?? "");
