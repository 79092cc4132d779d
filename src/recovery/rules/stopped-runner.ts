import { sessionName } from "../../domain/index.ts";
import type { Rule } from "./rule.ts";

/** It lives and keeps its step. Whether it is continued or taken over from, the person decides who stopped it. */
export const stoppedRunner: Rule = {
  title: "A runner is stopped",
  about: "A session whose process is stopped (Ctrl-Z) and keeps its step",
  beforeRun: "repairs",
  diagnose(seen) {
    if (seen.kind !== "session" || seen.now.host !== "here" || seen.now.state !== "stopped") return undefined;
    const { id, worktree, stopped } = seen.facts;
    return { found: `Session ${sessionName(id)} in ${worktree}: ${stopped ?? "stopped"}` };
  },
};
