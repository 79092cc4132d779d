import { useLayoutEffect, useState } from "preact/hooks";

/** Where the page is: the parts of the address behind `#/`. */
export type Place = readonly string[];

const read = (): Place =>
  location.hash
    .replace(/^#\/?/, "")
    .split("/")
    .filter((part) => part !== "")
    .map(decode);

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address of a place. Paths of plans have slashes, so each part is written in a way that has none. */
export const to = (...parts: readonly string[]): string => `#/${parts.map(encodeURIComponent).join("/")}`;

export const go = (...parts: readonly string[]): void => {
  location.hash = to(...parts);
};

export function usePlace(): Place {
  const [place, setPlace] = useState<Place>(read);
  // At once: a click between the first picture and a later turn would not be followed.
  useLayoutEffect(() => {
    const moved = (): void => setPlace(read());
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  return place;
}
