import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { CopyButton } from "../parts/copy.tsx";
import { Icon } from "../parts/icon.tsx";
import { Trouble } from "../parts/small.tsx";
import { type Reading, type TranscriptItem, useTranscript } from "../transcript-data.tsx";

const NEAR = 600;

/** What a command says and does, as it does; older parts come when they are scrolled to. */
export function Transcript({
  session,
  command,
  status,
}: {
  readonly session: string;
  readonly command: number;
  readonly status: string;
}) {
  const [find, setFind] = useState("");
  const [wanted, setWanted] = useState("");
  const [isErrors, setIsErrors] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWanted(find.trim()), 250);
    return () => clearTimeout(timer);
  }, [find]);
  const filter = { find: wanted, errors: isErrors ? 1 : undefined };
  const read = useTranscript(session, command, status, filter);
  const box = useRef<HTMLDivElement>(null);
  const [isAtEnd, setIsAtEnd] = useState(true);
  useScrolling(box, read, isAtEnd);
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
          text={read.blocks.flatMap(({ events }) => events.map(plainText)).join("\n")}
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
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          setIsAtEnd(scrollHeight - scrollTop - clientHeight < 40);
          if (scrollTop < NEAR) read.more();
        }}
      >
        {read.isMore && (
          <button type="button" class="quiet older" onClick={read.more}>
            Older
          </button>
        )}
        {read.blocks.map(({ drawn }) => drawn)}
        {read.isRead && read.blocks.length === 0 && (
          <p class="muted none">{isFiltered ? "Nothing like that was found." : "Nothing was printed."}</p>
        )}
      </div>
      {!isAtEnd && (
        <button
          type="button"
          class="latest"
          onClick={() => {
            if (box.current) box.current.scrollTop = box.current.scrollHeight;
          }}
        >
          Jump to latest
        </button>
      )}
    </section>
  );
}

/** The newest stays in view unless a person scrolled away from it; what comes before does not move what is being read. */
function useScrolling(
  box: { readonly current: HTMLDivElement | null },
  { blocks, isMore, more }: Reading,
  isAtEnd: boolean,
): void {
  const before = useRef({ height: 0, first: "" });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const first = blocks[0]?.key ?? "";
    if (isAtEnd) element.scrollTop = element.scrollHeight;
    // At the very top the browser holds nothing in place.
    else if (first !== before.current.first && element.scrollTop < 2)
      element.scrollTop = element.scrollHeight - before.current.height;
    before.current = { height: element.scrollHeight, first };
    // A search may find little in one page.
    if (isMore && element.scrollHeight <= element.clientHeight + NEAR / 2) more();
  }, [blocks]);
}

const plainText = (event: TranscriptItem): string =>
  event.kind === "call"
    ? `${event.tool}: ${event.detail ?? ""}`
    : event.kind === "refused"
      ? `refused: ${event.what ?? ""}`
      : (event.text ?? "");
