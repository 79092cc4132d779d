import { sessionName } from "../../domain/index.ts";
import type { Diagnosis, Rule } from "./rule.ts";
import type { SeenOf } from "./situation.ts";
import { choice } from "./words.ts";

/** A worktree that belongs to nothing any more, or a session whose worktree is gone. */
export const orphanedWorktree: Rule = {
  title: "A worktree lost what it belongs to",
  about: "A worktree without its folder or plan, or a session without its worktree",
  beforeRun: "leaves",
  diagnose(seen) {
    if (seen.kind === "worktree") return ofWorktree(seen);
    return seen.kind === "session" ? ofSession(seen) : undefined;
  },
};

function ofWorktree({ now, facts }: SeenOf<"worktree">): Diagnosis | undefined {
  if (now.use !== "free" || now.folder === "damaged") return undefined;
  if (now.folder === "missing")
    return {
      found: `The worktree folder ${facts.path} is gone.${now.plan === "there" ? " A run that needs it recreates it from its branch without asking." : ""}`,
      choices: [
        ...(now.plan === "there" ? [choice("recreate", "its branch is still there")] : []),
        choice("clean", "nothing is left in it"),
        choice("keep", "it may come back, for example on a disk that is not mounted now"),
      ],
    };
  if (now.plan !== "gone") return undefined;
  return {
    found: `The worktree ${facts.path} belongs to ${facts.plan ?? "a plan"}, which is gone.`,
    choices: [choice("clean", "its plan is gone"), choice("keep", "it may be useful")],
  };
}

function ofSession({ now, facts }: SeenOf<"session">): Diagnosis | undefined {
  if (now.host !== "here" || now.state !== "interrupted" || now.resumable !== "yes") return undefined;
  if (now.agent === "running") return undefined;
  if (now.superseded !== "no" || now.pause === "waiting" || now.worktree !== "missing") return undefined;
  const { snapshot } = facts;
  const saved = snapshot === undefined ? "" : ` Its uncommitted work is saved in snapshot ${snapshot}.`;
  return {
    found: `Session ${sessionName(facts.id)} was interrupted, and its worktree ${facts.worktree} is gone.${saved}`,
    choices: [
      choice("recreate", "its branch holds what was committed"),
      choice("clean", "the session will not be resumed"),
      choice("keep", "it may come back"),
    ],
  };
}
