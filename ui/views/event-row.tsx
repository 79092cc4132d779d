import { createContext } from "preact";
import { useContext, useState } from "preact/hooks";
import { FilePath } from "../parts/file-path.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
import { Prose } from "../parts/prose.tsx";
import type { TranscriptItem } from "../transcript-data.tsx";
import { duration } from "../words.ts";

/** Which calls a person has unfolded: rows that are scrolled away are taken out of the page, and come back as they were. */
export const Opened = createContext(new Set<string>());

export function EventRow({
  event,
  result,
}: {
  readonly event: TranscriptItem;
  readonly result: TranscriptItem | undefined;
}) {
  switch (event.kind) {
    case "text":
      return (
        <div class="event said">
          <Prose text={event.text ?? ""} />
        </div>
      );
    case "notice":
      return <pre class="event notice">{event.text}</pre>;
    case "refused":
      return (
        <p class="event refused">
          <Icon name="alert" /> refused: <code>{event.what}</code>
        </p>
      );
    case "end":
      return event.ok ? null : <pre class="event failed">{event.text ?? "It ended with an error."}</pre>;
    case "result":
      return (
        <Call
          event={{ ...event, kind: "call", tool: "result", detail: firstLine(event.text ?? "") }}
          result={event}
        />
      );
    case "call":
    default:
      return <Call event={event} result={result} />;
  }
}

const ICONS: readonly (readonly [RegExp, IconName])[] = [
  [/^(edit|write|multiedit|notebookedit|replace|apply)/i, "edit"],
  [/^(read|view|open|cat)/i, "read"],
  [/^(bash|command|shell|run_shell|exec)/i, "terminal"],
  [/^(grep|glob|search|find|ls|list|web)/i, "search"],
];

const iconFor = (tool: string): IconName => ICONS.find(([name]) => name.test(tool))?.[1] ?? "tool";

const firstLine = (text: string): string => text.split("\n", 1)[0]!;

/** A call in one line; it unfolds to what it changed and what came of it. */
function Call({
  event,
  result,
}: {
  readonly event: TranscriptItem;
  readonly result: TranscriptItem | undefined;
}) {
  const key = `${event.place}.${event.part}`;
  const opened = useContext(Opened);
  const [isOpen, setIsOpen] = useState(opened.has(key));
  const turn = (): void => {
    if (isOpen) opened.delete(key);
    else opened.add(key);
    setIsOpen(!isOpen);
  };
  const isFailed = result?.ok === false;
  const took = event.at && result?.at ? Date.parse(result.at) - Date.parse(event.at) : undefined;
  return (
    <div class={`event call ${isFailed ? "failed" : ""}`}>
      <button type="button" class="quiet" aria-expanded={isOpen} onClick={turn}>
        <Icon name={iconFor(event.tool ?? "")} />
        <strong>{event.tool}</strong>
        <span class="detail" title={event.detail ?? undefined}>
          {firstLine(event.detail ?? "")}
        </span>
        <span class="muted">
          {isFailed ? "failed" : result === undefined ? "…" : ""}{" "}
          {took !== undefined && took >= 0 && duration(took)}
        </span>
      </button>
      {isOpen && (
        <div class="inside-call">
          {event.path && (
            <p>
              <FilePath path={event.path} />
            </p>
          )}
          {event.edits?.map((edit, index) => (
            <Edit key={index} edit={edit} />
          ))}
          {event.input && <pre>{event.input}</pre>}
          {result && result.text !== "" && <pre class={isFailed ? "failed" : ""}>{result.text}</pre>}
          {result === undefined && <p class="muted">There is no result yet.</p>}
        </div>
      )}
    </div>
  );
}

/** What an edit replaces, as a small patch. */
const Edit = ({ edit }: { readonly edit: { readonly before: string; readonly after: string } }) => (
  <div class="small-diff">
    {edit.before !== "" &&
      edit.before.split("\n").map((line, index) => (
        <div key={`-${index}`} class="line removed">
          <span class="sign">−</span>
          <span class="text">{line}</span>
        </div>
      ))}
    {edit.after.split("\n").map((line, index) => (
      <div key={`+${index}`} class="line added">
        <span class="sign">+</span>
        <span class="text">{line}</span>
      </div>
    ))}
  </div>
);
