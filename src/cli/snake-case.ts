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
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(entries.map(([key, part]) => [snake(key), convert(part)]));
}

const snake = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
