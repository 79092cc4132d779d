import { jsonPlaces, type JsonPlace } from "./json-places.ts";

/** Whether a value is an entry of ours. Programs print settings anew, with other blanks, another order, more members. */
export type IsOurs = (value: unknown) => boolean;

interface Found {
  readonly parent: JsonPlace;
  readonly place: JsonPlace;
}

export function placeAt(text: string, path: readonly string[]): JsonPlace | undefined {
  let place = jsonPlaces(text);
  for (const key of path) place = place?.members.get(key);
  return place;
}

/** Whether an entry of ours stands there, however it is written. */
export const isSaidAt = (text: string, path: readonly string[], isOurs: IsOurs): boolean =>
  firstSaid(text, path, isOurs) !== undefined;

/** Cuts out every entry of ours under a path, and what holds nothing any more because of it. */
export function cutSaid(given: string, path: readonly string[], isOurs: IsOurs): string {
  let text = given;
  for (;;) {
    const found = firstSaid(text, path, isOurs);
    if (found === undefined) return text;
    text = cut(text, found);
    for (let length = path.length; length > 0; length -= 1) {
      const parent = placeAt(text, path.slice(0, length - 1));
      const place = parent?.members.get(path[length - 1]!);
      if (parent && place?.isEmpty) text = cut(text, { parent, place });
    }
  }
}

function firstSaid(text: string, path: readonly string[], isOurs: IsOurs): Found | undefined {
  const parent = placeAt(text, path.slice(0, -1));
  const place = parent?.members.get(path.at(-1)!);
  return parent && place && firstUnder({ parent, place }, isOurs);
}

function firstUnder(found: Found, isOurs: IsOurs): Found | undefined {
  const { place } = found;
  if (isOurs(place.value)) return found;
  for (const inner of insidesOf(place)) {
    const deeper = firstUnder({ parent: place, place: inner }, isOurs);
    if (deeper) return deeper;
  }
  return undefined;
}

const insidesOf = ({ members, elements }: JsonPlace): readonly JsonPlace[] => [
  ...members.values(),
  ...elements,
];

/** With the comma behind it; where it is the last, with the one before it. */
function cut(text: string, { parent, place }: Found): string {
  const from = text.slice(0, place.start).trimEnd().length;
  const comma = commaAfter(text, place.end);
  if (comma !== undefined) return text.slice(0, from) + text.slice(place.end, comma) + text.slice(comma + 1);
  const before = insidesOf(parent).findLast(({ end }) => end <= place.start);
  const earlier = before && commaAfter(text, before.end);
  return earlier === undefined
    ? text.slice(0, from) + text.slice(place.end)
    : text.slice(0, earlier) + text.slice(earlier + 1, Math.max(from, earlier + 1)) + text.slice(place.end);
}

const TO_COMMA = /(?:[ \t\r\n]+|\/\/[^\n]*|\/\*[^]*?\*\/)*(?=,)/y;

function commaAfter(text: string, at: number): number | undefined {
  TO_COMMA.lastIndex = at;
  return TO_COMMA.test(text) ? TO_COMMA.lastIndex : undefined;
}
