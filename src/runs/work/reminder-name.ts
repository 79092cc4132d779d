/** What the checkpoint of a reminder is called. */
export const REMINDER = "open-items";
