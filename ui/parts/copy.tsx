import { useState } from "preact/hooks";
import { Icon } from "./icon.tsx";

const SHOWN_MS = 1500;

/** Copies a text, and says that it did. A long one is made only when it is wanted. */
export function CopyButton({
  text,
  what,
}: {
  readonly text: string | (() => string);
  readonly what: string;
}) {
  const [isDone, setIsDone] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : text());
    } catch {
      return;
    }
    setIsDone(true);
    setTimeout(() => setIsDone(false), SHOWN_MS);
  };
  return (
    <button
      type="button"
      class="quiet copy"
      aria-label={isDone ? "Copied" : `Copy ${what}`}
      title={isDone ? "Copied" : `Copy ${what}`}
      onClick={(event) => {
        event.preventDefault();
        event.stopPropagation();
        void copy();
      }}
    >
      <Icon name={isDone ? "check" : "copy"} />
    </button>
  );
}

/** A command line to take along. */
export const Copyable = ({ text, label }: { readonly text: string; readonly label?: string }) => (
  <p class="copyable">
    {label && <span class="muted">{label}</span>}
    <code>{text}</code>
    <CopyButton text={text} what="the command" />
  </p>
);
