import { useEffect, useState } from "preact/hooks";
import { Icon } from "./icon.tsx";

interface Note {
  readonly id: number;
  readonly text: string;
  readonly kind: "good" | "bad" | "plain";
}

const STAYS_MS = 6000;
let lastId = 0;
let add: (note: Note) => void = () => undefined;

/** Says something at the edge of the page; screen readers hear it. */
export function say(text: string, kind: Note["kind"] = "plain"): void {
  lastId += 1;
  add({ id: lastId, text, kind });
}

export function Notes() {
  const [notes, setNotes] = useState<readonly Note[]>([]);
  useEffect(() => {
    const drop = (id: number): void => setNotes((before) => before.filter((one) => one.id !== id));
    add = (note) => {
      setNotes((before) => [...before.slice(-3), note]);
      setTimeout(() => drop(note.id), STAYS_MS);
    };
  }, []);
  return (
    <div class="notes" role="status" aria-live="polite">
      {notes.map(({ id, text, kind }) => (
        <p key={id} class={kind}>
          <Icon name={kind === "bad" ? "alert" : "check"} />
          {text}
        </p>
      ))}
    </div>
  );
}
