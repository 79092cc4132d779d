import { pathFileName } from "./path-file-name.ts";

/** A lease is two hours: one beat in this time is plenty, and an agent uses tools many times a minute. */
const REST_MS = 30_000;

/** By path and not by id: a caller that only asks whether a beat is due need not find the id. */
export const stampName = (path: string): string => `beats/${pathFileName(path)}`;

export function isStampDue(stamp: string, nowMs: number): boolean {
  const ageMs = nowMs - Number(stamp);
  return !(ageMs >= 0 && ageMs < REST_MS);
}
