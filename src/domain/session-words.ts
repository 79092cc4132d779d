/** What became of a session or a run, in the words of every interface. */
export const SESSION_WORDS = {
  in_progress: "running",
  completed: "completed",
  failed: "ended with open steps",
  interrupted: "interrupted",
  abandoned: "abandoned",
} as const;

/** A session whose process a person stopped (Ctrl-Z): its status is still `in_progress`, and nothing runs. */
export const STOPPED_WORD = "stopped";

/** What ended a session before its work was done, in words for people. */
export const INTERRUPTED_BY: Readonly<Record<string, string>> = {
  user_interrupt: "by SIGINT",
  termination: "by SIGTERM",
  hangup: "when its terminal or client closed",
  process_kill: "by a kill or crash",
  usage_limit: "by a usage limit",
  unknown: "for an unknown reason",
};
