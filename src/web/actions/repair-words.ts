import type { RepairName } from "../../recovery/rules/index.ts";
import type { Preview } from "../wire.ts";

const JUDGED =
  "If it passes, Pawl commits the work and completes the step; if not, the step is blocked with the evidence.";
const SAVED = "Work in its worktree that is not committed is saved in a snapshot first.";
const LEFT = "No file is touched.";
const AGAIN = "Pawl asks again as long as the finding remains.";

/** What each repair does and what it keeps, for people who are about to choose it. */
export const REPAIR_WORDS: Readonly<
  Record<RepairName, Pick<Preview, "effects" | "keeps"> & { readonly isGrave?: true }>
> = {
  verify: {
    effects: ["Its verification runs again where its work is.", JUDGED],
    keeps: ["The evidence of earlier attempts stays."],
  },
  "verify-here": {
    effects: ["Its verification runs now, in the checkout that this page was started in.", JUDGED],
    keeps: ["The evidence of earlier attempts stays."],
  },
  escalate: {
    effects: ["It is blocked until a person has reviewed it."],
    keeps: ["The evidence of its attempts stays.", LEFT],
  },
  retry: {
    effects: ["It becomes pending: the next run can claim it, with new attempts."],
    keeps: ["The evidence of earlier attempts stays.", LEFT],
  },
  "break-down": {
    effects: ["A planner splits it into substeps.", "Pawl writes them into its plan."],
    keeps: ["The step itself stays, and is completed when its substeps are."],
  },
  skip: { effects: ["Nothing changes: it stays as it is."], keeps: [AGAIN] },
  continue: {
    effects: ["It stays in progress, and the next run continues it."],
    keeps: ["Its files stay as they are."],
  },
  reset: { effects: ["It becomes pending and starts over."], keeps: [SAVED], isGrave: true },
  hold: { effects: ["No worker claims it until a person retries it."], keeps: [SAVED] },
  "mark-interrupted": {
    effects: ["The journal records that it was interrupted.", "Pawl stops what it left running."],
    keeps: [LEFT],
  },
  "stop-agent": { effects: ["Pawl stops what it left running."], keeps: [LEFT] },
  resume: {
    effects: [
      "Pawl stops what its agents left running and finishes their commits.",
      "Then it continues where it stopped.",
    ],
    keeps: ["Completed steps are never redone.", "If something changed since, it says so and does nothing."],
  },
  abandon: {
    effects: ["It can no longer be resumed; other workers can claim its steps."],
    keeps: ["Its work stays in its worktree, and Pawl saves a snapshot of it first."],
    isGrave: true,
  },
  show: { effects: ["Nothing changes."], keeps: [AGAIN] },
  release: { effects: ["It becomes pending: any worker can claim it."], keeps: [SAVED] },
  complete: { effects: ["It is completed with the commit that carries its trailer."], keeps: [LEFT] },
  "write-pending": {
    effects: ["The plan's file says pending for it."],
    keeps: ["Steps that the file calls completed stay completed."],
  },
  rebuild: {
    effects: ["Pawl moves the rest of its git files aside and recreates it from its branch."],
    keeps: ["Its files are kept next to it.", "It has everything that was committed."],
  },
  "set-aside": {
    effects: [
      "Their files move to the folder pawl-damaged in the git directory.",
      "Those whose content is still in a checkout are written again.",
    ],
    keeps: ["Nothing is deleted."],
  },
  "move-back": {
    effects: ["The branch moves to its last commit that has everything."],
    keeps: ["Files in its worktree stay as they are.", "The journal records where it was."],
    isGrave: true,
  },
  "bring-back": {
    effects: [
      "The branch gets the commits of the steps again; if that takes a merge, Pawl verifies it first.",
    ],
    keeps: ["Commits that the branch has stay on it.", "The journal records where it moved."],
  },
  reopen: {
    effects: ["It becomes pending, and the next run does it again."],
    keeps: ["The journal records which commit it had.", LEFT],
    isGrave: true,
  },
  revert: {
    effects: [
      "A new commit on the plan's branch reverts its change, once the checks pass without it.",
      "Pawl puts its step on hold, with the reason.",
    ],
    keeps: ["Its commit stays in the history.", "If later steps build on it, it says so and does nothing."],
    isGrave: true,
  },
  leave: {
    effects: ["Later runs do not stop for it."],
    keeps: ["It stays visible here, in `pawl status` and in `pawl recover`.", LEFT],
  },
  recreate: {
    effects: ["Pawl recreates its worktree from its branch."],
    keeps: ["It has everything that was committed."],
  },
  clean: {
    effects: ["Pawl removes what is left of it."],
    keeps: ["Pawl saves uncommitted work in a snapshot first.", "Its branch stays."],
    isGrave: true,
  },
  keep: { effects: ["Nothing changes: it stays as it is."], keeps: [AGAIN] },
  "accept-edit": {
    effects: ["The step stays completed, and its new text counts as done."],
    keeps: ["Its commit stays.", LEFT],
  },
  "begin-again": {
    effects: ["It becomes pending with its new text, and the next run does it."],
    keeps: [SAVED, "Its commits stay in the history."],
    isGrave: true,
  },
  "new-plan": {
    effects: ["The file counts as another plan: all of its steps are pending, and the next run does them."],
    keeps: ["The state of the old plan is saved in a file.", "Its commits stay in the history."],
    isGrave: true,
  },
  "forget-step": {
    effects: ["Pawl removes the step from the state: the plan no longer has it."],
    keeps: [SAVED, "Its commits stay in the history."],
    isGrave: true,
  },
  "read-again": {
    effects: ["Pawl reads the plan again; its steps are then what the file says now."],
    keeps: ["Unchanged steps keep their progress.", "The file stays as it is."],
  },
};
