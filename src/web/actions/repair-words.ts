import type { RepairName } from "../../recovery/rules/index.ts";
import type { Preview } from "../wire.ts";

const JUDGED =
  "If it passes, the work is committed and the step completed; if not, it is blocked with what was found.";
const SAVED = "Work in its worktree that is not committed is saved in a snapshot first.";
const LEFT = "No file is touched.";
const AGAIN = "It is asked again as long as it is there.";

/** What each repair does and what it keeps, for people who are about to choose it. */
export const REPAIR_WORDS: Readonly<
  Record<RepairName, Pick<Preview, "effects" | "keeps"> & { readonly isGrave?: true }>
> = {
  verify: {
    effects: ["Its verification runs again where its work is.", JUDGED],
    keeps: ["What earlier attempts found stays in its history."],
  },
  "verify-here": {
    effects: ["Its verification runs now, in the checkout that this page was started in.", JUDGED],
    keeps: ["What earlier attempts found stays in its history."],
  },
  escalate: {
    effects: ["It is blocked until a person has reviewed it."],
    keeps: ["What its attempts found stays in its history.", LEFT],
  },
  retry: {
    effects: ["It becomes pending: the next run may get it, with new attempts."],
    keeps: ["What earlier attempts found stays in its history.", LEFT],
  },
  "break-down": {
    effects: ["An agent that plans is started, and makes substeps of it.", "They are written to its plan."],
    keeps: ["The step itself stays, and is done when its substeps are."],
  },
  skip: { effects: ["Nothing changes: it stays as it is."], keeps: [AGAIN] },
  continue: {
    effects: ["It stays in progress, and the next run continues it."],
    keeps: ["What is there stays as it is."],
  },
  reset: { effects: ["It becomes pending, and is begun anew."], keeps: [SAVED], isGrave: true },
  hold: { effects: ["No worker gets it until a person retries it."], keeps: [SAVED] },
  "mark-interrupted": {
    effects: ["The journal says that it was cut off.", "What it left running is stopped."],
    keeps: [LEFT],
  },
  "stop-agent": { effects: ["What it left running is stopped."], keeps: [LEFT] },
  resume: {
    effects: [
      "What its agents left running is stopped, and what they had committed is finished.",
      "Then it continues where it stopped.",
    ],
    keeps: [
      "Finished steps are not done again.",
      "If something is not as it was left, it says so and does nothing.",
    ],
  },
  abandon: {
    effects: ["It can no longer be resumed; other workers can claim its steps."],
    keeps: ["Its work stays in its worktree, and a snapshot of it is taken first."],
    isGrave: true,
  },
  show: { effects: ["Nothing changes."], keeps: [AGAIN] },
  release: { effects: ["It becomes pending: any worker can claim it."], keeps: [SAVED] },
  complete: { effects: ["It is completed with the commit that carries its trailer."], keeps: [LEFT] },
  "write-pending": {
    effects: ["The plan's file says pending for it."],
    keeps: ["What it calls completed stays."],
  },
  rebuild: {
    effects: ["What is left of git's files of it moves aside, and it is made again from its branch."],
    keeps: ["Its files are kept beside it.", "Everything that was committed is in it."],
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
    keeps: ["Files in its worktree stay as they are.", "The journal says where it was."],
    isGrave: true,
  },
  "bring-back": {
    effects: ["The branch gets the commits of the steps again, verified where that takes a merge."],
    keeps: ["What the branch has stays on it.", "The journal says where it was brought."],
  },
  reopen: {
    effects: ["It becomes pending, and the next run does it again."],
    keeps: ["The journal says which commit it had.", LEFT],
    isGrave: true,
  },
  revert: {
    effects: [
      "A commit on the plan's branch takes its change back, once the checks pass without it.",
      "Its step is put on hold, with the reason.",
    ],
    keeps: ["Its commit stays in the history.", "If later steps build on it, it says so and does nothing."],
    isGrave: true,
  },
  leave: {
    effects: ["No run stops for it again."],
    keeps: ["It stays visible here, in `pawl status` and in `pawl recover`.", LEFT],
  },
  recreate: {
    effects: ["Its worktree is made again from its branch."],
    keeps: ["Everything that was committed is in it."],
  },
  clean: {
    effects: ["What is left of it is taken down."],
    keeps: ["What is not committed is saved in a snapshot first.", "Its branch stays."],
    isGrave: true,
  },
  keep: { effects: ["Nothing changes: it stays as it is."], keeps: [AGAIN] },
  "accept-edit": {
    effects: ["The step stays completed, and what the plan says about it now counts as done."],
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
    effects: ["The step leaves the state of the plan, which has no such step any more."],
    keeps: [SAVED, "Its commits stay in the history."],
    isGrave: true,
  },
  "read-again": {
    effects: ["The plan is read again, and its steps are what the file says now."],
    keeps: ["Progress of steps that did not change is kept.", "The file stays as it is."],
  },
};
