/**
 * Instants are text: ISO-8601, UTC, three decimals, `Z`. Made and read only here.
 *
 * One width and one zone make text order time order, so SQL may compare them as they are.
 */
export type Instant = string;

export const toInstant = (epochMs: number): Instant => new Date(clampMs(epochMs)).toISOString();

export const fromInstant = (instant: Instant): number => Date.parse(instant);

/** Beyond the year 9999 ISO text grows a sign and sorts wrongly; before 0000 likewise. */
const clampMs = (epochMs: number): number =>
  Math.min(Math.max(epochMs, -62_167_219_200_000), 253_402_300_799_999);
