/** What can be done with a build that is there already. */
export const EXISTING_CHOICES = ["continue", "review", "merge", "fresh"] as const;
export type ExistingChoice = (typeof EXISTING_CHOICES)[number];
