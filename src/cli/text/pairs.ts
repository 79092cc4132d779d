import { sessionName } from "../../domain/session-name.ts";

/** A value for people, as `key: value` pairs where it has parts; what is empty is left out. */
export function pairs(value: unknown, show: (text: string) => string = String): string {
  if (typeof value !== "object" || value === null) return show(String(value));
  if (Array.isArray(value)) return value.map((part) => nested(part, show)).join(", ");
  return Object.entries(value)
    .filter(([, part]) => !isEmpty(part))
    .map(([key, part]) => `${key.replaceAll("_", " ")}: ${nested(part, show)}`)
    .join(", ");
}

/** Parts of parts stand in brackets, so that it shows where they end. */
const nested = (part: unknown, show: (text: string) => string): string =>
  typeof part === "object" && part !== null && !isEmpty(part) ? `(${pairs(part, show)})` : pairs(part, show);

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === "" ||
  (typeof value === "object" && Object.values(value).every(isEmpty));

/** As many digits as tell commits apart where people look at them. */
const SHORT_HASH = 12;

/** Full hashes and ids of sessions cut short, also inside a longer text. */
export const shortNames = (text: string): string =>
  text
    .replace(SESSION, sessionName)
    .replace(/\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g, (hash) => hash.slice(0, SHORT_HASH));

const SESSION = /\bs-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
