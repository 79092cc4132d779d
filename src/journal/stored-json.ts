/**
 * What a column of JSON holds, or something else where it cannot be read.
 *
 * Pawl writes such a column whole or not at all, so a damaged one was changed by another hand. It is beside the work:
 * no verb stops for it.
 */
export function storedJson<T>(text: string | null, otherwise: T): T {
  if (text === null) return otherwise;
  try {
    const value = JSON.parse(text) as T | null;
    return typeof value === "object" && value !== null ? value : otherwise;
  } catch {
    return otherwise;
  }
}

/** More of a damaged line does not help. */
const MOST_SHOWN = 200;

/** What a line of the journal says beside its event. A damaged one says that it is, and shows what is left of it. */
export const detailIn = (text: string): Readonly<Record<string, unknown>> =>
  storedJson<Readonly<Record<string, unknown>>>(text, { unreadable: text.slice(0, MOST_SHOWN) });
