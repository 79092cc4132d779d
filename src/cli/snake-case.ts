/**
 * The library speaks camelCase, the envelope snake_case: one conversion, in one place.
 *
 * Only for answers of the verbs. Their keys are names we chose; a map whose keys come from a plan must not pass here.
 */
export function snakeCase(value: object): Readonly<Record<string, unknown>> {
  return convert(value) as Record<string, unknown>;
}

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert);
  if (typeof value !== "object" || value === null) return value;
  const converted: Record<string, unknown> = {};
  // A loop and a memory for keys: a large plan has a million of them, and took half a second the short way.
  for (const key of Object.keys(value)) {
    const part = (value as Record<string, unknown>)[key];
    if (part !== undefined) converted[snake(key)] = convert(part);
  }
  return converted;
}

const known = new Map<string, string>();

function snake(key: string): string {
  let found = known.get(key);
  if (found === undefined) {
    found = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    known.set(key, found);
  }
  return found;
}
