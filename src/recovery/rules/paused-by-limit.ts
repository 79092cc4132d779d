import { resumeCommandLine, sessionName } from "../../domain/index.ts";
import type { Rule } from "./rule.ts";

/** Nothing is wrong with the work: it continues once the limit is over. */
export const pausedByLimit: Rule = {
  title: "A session is paused by a usage limit",
  about: "A session that waits until a usage limit resets",
  beforeRun: "repairs",
  forAgents: { who: "none", next: "It can be resumed when the limit is over." },
  reported: { weight: "know", actions: ["resume", "abandon"] },
  diagnose(seen) {
    if (seen.kind !== "session" || seen.now.host !== "here" || seen.now.state !== "interrupted")
      return undefined;
    const { resumable, superseded, pause, agent } = seen.now;
    if (agent === "running") return undefined;
    if (resumable !== "yes" || superseded !== "no" || pause !== "waiting") return undefined;
    const { id, pausedUntil } = seen.facts;
    const until = pausedUntil === undefined ? "" : ` until ${pausedUntil}`;
    const waits = `waits for a usage limit${until}; then: ${resumeCommandLine(id)}`;
    return { found: `Session ${sessionName(id)} ${waits}`, ofRun: waits };
  },
};
