/** The names that trailers about steps begin with: Pawl's own, and those of the format it grew out of. */
export const TRAILER_FAMILIES = ["Pawl", "Tug"] as const;

/** Whether a trailer is of one of them. */
export const isStepTrailer = (key: string): boolean =>
  TRAILER_FAMILIES.some((family) => key.toLowerCase().startsWith(`${family.toLowerCase()}-`));
