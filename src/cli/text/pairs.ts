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
