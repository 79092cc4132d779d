/** A JSON value that nobody has checked. */
export type Json = Readonly<Record<string, unknown>>;

/**
 * One line as a JSON object; undefined for anything else.
 *
 * Some agents write an event in the middle of another line, and libraries print warnings between them: a line that
 * does not parse is skipped and never fatal.
 */
export function jsonLine(line: string): Json | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return asObject(JSON.parse(line));
  } catch {
    return undefined;
  }
}

export const asObject = (value: unknown): Json | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const asText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

export const asCount = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;

/** What a tool is about to work on, out of whatever its input is called. */
export function toolDetail(input: unknown): string | undefined {
  const fields = asObject(input);
  if (!fields) return undefined;
  for (const name of ["command", "file_path", "filePath", "path", "pattern", "query", "url", "description"]) {
    const found = asText(fields[name]);
    if (found !== undefined) return found;
  }
  return undefined;
}
