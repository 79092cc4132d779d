/** What people can be notified of, with what each means. */
export const NOTIFY_EVENTS = {
  "needs-you": "the run ended, and a person has to decide before more can be done",
  paused: "the run is paused by a usage limit or a lost network",
  budget: "the run reached a limit of cost or time that `[limits]` or an option set",
  blocked: "a step was blocked; the run continues with others",
  ended: "the run ended, however it did",
} as const;

export type NotifyEvent = keyof typeof NOTIFY_EVENTS;
