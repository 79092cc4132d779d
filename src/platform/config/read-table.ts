import type { Fields, FieldValues } from "./fields.ts";

/** Collects what is wrong, so that a person sees all of it at once. */
export type Complain = (where: string, what: string) => void;

/** Reads a table by its fields. What is wrong is complained about and left out. */
export function readSettingsTable<F extends Fields>(
  fields: F,
  value: unknown,
  where: string,
  complain: Complain,
): FieldValues<F> {
  const found: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(asTable(value, where, complain))) {
    const place = `${where}.${name}`;
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) {
      complain(place, `is not known here; known are ${Object.keys(fields).join(", ")}`);
      continue;
    }
    const read = field.read(given);
    if (read === undefined) complain(place, field.wants);
    else found[name] = read;
  }
  return found as FieldValues<F>;
}

/** Lower-case letters, digits and dashes: names become parts of file names, and of a person's command lines. */
export function isName(name: string, where: string, complain: Complain): boolean {
  if (/^[a-z0-9][a-z0-9-]{0,39}$/.test(name)) return true;
  complain(where, "must be named with lower-case letters, digits and dashes, at most 40");
  return false;
}

export function asTable(
  value: unknown,
  where: string,
  complain: Complain,
): Readonly<Record<string, unknown>> {
  if (value === undefined) return {};
  if (typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date))
    return value as Readonly<Record<string, unknown>>;
  complain(where, "must be a table");
  return {};
}
