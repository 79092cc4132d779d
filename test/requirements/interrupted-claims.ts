import type { SourceDocument } from "./requirement.ts";

const CLAIM = "e2e/claim-and-release";

// oxfmt-ignore
export const interruptedClaims: SourceDocument = {
  title: "Claims of interrupted sessions",
  about: "How a worker gets its step back after a crash, and how a person frees a step whose owner is gone.",
  requirements: [
    ["A claim from the worktree that holds a step returns that step at once, without waiting for the lease", CLAIM, "gives a step that was claimed and never heartbeated back to the same worktree at once"],
    ["Claiming again refreshes the lease", CLAIM, "refreshes the lease with the duration of the new claim"],
    ["The step that a worktree holds comes before an earlier one that is free", CLAIM, "returns the step a worktree holds before an earlier one that is free"],
    ["The answer says that the step was reclaimed", CLAIM, "gives a step that was claimed and never heartbeated back to the same worktree at once"],
    ["Another worktree does not get the step while its lease runs", CLAIM, "does not give the step to another worktree while its lease runs"],
    ["`state release PLAN STEP --worktree PATH` returns a step to pending", CLAIM, "lets another worktree claim a step that was released"],
    ["Release verifies that the caller holds the step", CLAIM, "refuses a worktree that does not hold the step"],
    ["Release clears owner, times and lease of the claim", CLAIM, "clears every field of the claim"],
    ["Release resets unfinished substeps to pending", CLAIM, "resets unfinished substeps and what was begun on them, and keeps finished ones"],
    ["Release opens the items of affected substeps", CLAIM, "resets unfinished substeps and what was begun on them, and keeps finished ones"],
    ["Release refuses a completed step", CLAIM, "refuses to release a completed step, by its owner and by force"],
    ["`state release --force` skips the check of ownership", CLAIM, "releases by force when the worktree that held the step is gone"],
    ["A released step can be claimed by another worktree", CLAIM, "lets another worktree claim a step that was released"],
    ["`state claim --force` takes a step whose lease runs", CLAIM, "takes a step with a running lease from another worktree and says from whom"],
    ["A claim by force respects the order of dependencies", CLAIM, "respects the order of dependencies, also for a step that is named"],
    ["A claim by force says that the step was reclaimed", CLAIM, "takes a step with a running lease from another worktree and says from whom"],
    ["Taking a step by force stays a person's decision: no worker does it by itself", "e2e/agent-powers", "an agent changes no other step and does nothing that is for people, whatever it hides"],
    ["A reclaimed step has its unfinished items reset", CLAIM, "clears every item when another worktree takes over, because the work is not there"],
    ["A step whose worktree was deleted does not wait for its lease", "e2e/missing-worktree", "is handed out to the next claim"],
    ["The person can clean up after a worktree that was deleted by hand", "e2e/missing-worktree", "is explained with commands that work, none of which names the deleted worktree as the caller's"],
    ["A worker that starts again right after an interruption continues the same step", "e2e/run", "by %s while implementing stops the agent, keeps the work and is picked up"],
  ],
};
