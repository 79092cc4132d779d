/** The names that trailers about steps begin with: Pawl's own, and those of the format it grew out of. */
export const TRAILER_FAMILIES = ["Pawl", "Tug"] as const;

export type TrailerFamily = (typeof TRAILER_FAMILIES)[number];

/** The family in which a message that Pawl composed names its step. Elsewhere in it such lines are quoted. */
export const familyOf = (message: string): TrailerFamily | undefined =>
  TRAILER_FAMILIES.find((family) => message.includes(`\n${family}-Step: `));

/** Whether a trailer is of one of them. */
export const isStepTrailer = (key: string): boolean =>
  TRAILER_FAMILIES.some((family) => key.toLowerCase().startsWith(`${family.toLowerCase()}-`));
