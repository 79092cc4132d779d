import { sessionName } from "../../domain/index.ts";
import type { Rule } from "./rule.ts";
import type { Situation } from "./situation.ts";
import { choice } from "./words.ts";

/** It can be taken up here and now. */
const isOpen = (now: Situation<"session">): boolean =>
  now.state === "interrupted" &&
  now.resumable === "yes" &&
  now.superseded === "no" &&
  now.pause !== "waiting" &&
  now.worktree === "there";

/** A session whose process is gone. That it ended is recorded and its agent stopped; whether it continues, a person says. */
export const interruptedSession: Rule = {
  title: "A session was interrupted",
  about: "A session without its process",
  beforeRun: "repairs",
  diagnose(seen) {
    if (seen.kind !== "session" || seen.now.host !== "here") return undefined;
    const { id, at, because, worktree } = seen.facts;
    const name = sessionName(id);
    if (seen.now.state === "dead")
      return {
        found: `Session ${name} was cut off: its process is gone.`,
        ofRun: "was cut off: its process is gone.",
        automatic: { do: "mark-interrupted", because: "its process is gone" },
      };
    const isLeft = seen.now.state === "interrupted" && seen.now.agent === "running";
    const stop = isLeft && {
      automatic: { do: "stop-agent", because: "its supervisor is gone" } as const,
    };
    if (!isOpen(seen.now))
      return stop
        ? {
            found: `Session ${name} was cut off, but its agent still runs in ${worktree}.`,
            ofRun: "was cut off, but its agents still run.",
            ...stop,
          }
        : undefined;
    const where = at === undefined ? "" : ` at ${at}`;
    const how = because === undefined ? "" : ` (${because})`;
    return {
      found: `Session ${name} was interrupted${where}${how}${stop ? ", but its agent still runs" : ""}.`,
      ofRun: `was interrupted${how}${stop ? ", but its agents still run" : ""}.`,
      // Stopping the agent needs no person, and decides nothing: whether the session continues is asked all the same.
      ...stop,
      choices: [
        choice("resume", "it can continue where it stopped"),
        choice("abandon", "it is no longer needed"),
        choice("show", "it can wait"),
      ],
    };
  },
};
