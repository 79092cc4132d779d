import { useEffect, useRef } from "preact/hooks";

/** Keys that work everywhere but while a person types. Two in a row are written with a space. */
export type Keys = Readonly<Record<string, () => void>>;

const PAUSE_MS = 900;

export function useKeys(now: Keys): void {
  // Read when a key is pressed: what is shown may change between the two keys of a row, and they still are one.
  const current = useRef(now);
  current.current = now;
  useEffect(() => {
    let first = "";
    let timer: ReturnType<typeof setTimeout> | undefined;
    const heard = (event: KeyboardEvent): void => {
      const keys = current.current;
      const isCommand = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k";
      if (isCommand) {
        event.preventDefault();
        keys["/"]?.();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const cap = first === "" ? capFor(event.key) : undefined;
      if (cap) {
        event.preventDefault();
        cap.click();
        return;
      }
      const run = keys[`${first} ${event.key}`] ?? keys[event.key];
      clearTimeout(timer);
      first = run ? "" : event.key;
      timer = setTimeout(() => (first = ""), PAUSE_MS);
      if (!run) return;
      event.preventDefault();
      run();
    };
    addEventListener("keydown", heard);
    return () => {
      removeEventListener("keydown", heard);
      clearTimeout(timer);
    };
  }, []);
}

/** The key that stands on a button of the card below the pointer, or with the focus in it. */
const capFor = (key: string): HTMLElement | null | undefined =>
  /^[a-z]$/.test(key)
    ? [...document.querySelectorAll(".card:focus-within, .card:hover, .card.chosen")]
        .map((card) => card.querySelector<HTMLElement>(`[data-key="${key}" i]`))
        .find((cap) => cap !== null)
    : undefined;

export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("input, textarea, select, dialog") !== null;
