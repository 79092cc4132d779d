// The door of this room: other rooms import from here alone.
export { rememberSquash } from "./bound-work.ts";
export { type Base, chooseBase } from "./branches/choose-base.ts";
export { chooseBranch, nameFor, otherPlanOf, refusePrefix } from "./branches/choose-branch.ts";
export { type Course, type Scene, chooseCourse, survey } from "./commit-scene.ts";
export { type CommitAnswer, type CommitRequest, answeredBefore, callOf, commit } from "./commit.ts";
export { type IntentReport, finishIntents } from "./finish-intents.ts";
export { joinSquash } from "./join-squash.ts";
export {
  type ApproveMerge,
  type Integration,
  ensureIntegration,
  integrate,
  mergeCommit,
  planTip,
  ROUNDS,
  tipOf,
} from "./land/integrate.ts";
export { type CompletedStep, completedSteps } from "./land/completed-steps.ts";
export { landRevert } from "./land/land-revert.ts";
export { goalOf, landAndComplete } from "./land/land-and-complete.ts";
export { finishHalf, type Goal, landingLock, whileHas, whileSettled } from "./land/landing.ts";
export { findStepsOffBranch } from "./land/steps-off-branch.ts";
export { keepLate } from "./late/keep-late.ts";
export { refuseLeftBehindFiles } from "./late/late-work.ts";
export { lateResultOf, leftBehind } from "./late/left-behind.ts";
export { nothingToCommit, refuseUnmerged, treeChanged } from "./make-commit.ts";
export { moveBranch, takeBackUnder } from "./move-branch.ts";
export { commitStatus, commitStatusFrom, leaveStatusOut, type StatusCommit } from "./plan-status.ts";
export {
  type Proposal,
  type ReconcileAnswer,
  type ReconcileRequest,
  reconcile,
} from "./reconcile/reconcile.ts";
export type { ProposalKind } from "./reconcile/weigh-trailers.ts";
export { followShared } from "./remote/follow-shared.ts";
export { moveShared } from "./remote/move-shared.ts";
export { pushAhead } from "./remote/push-ahead.ts";
export { followRemote, type RemoteTip, remoteTip } from "./remote/remote-tip.ts";
export { closeIntent } from "./sql/close-intent.ts";
export { findIntent } from "./sql/find-intent.ts";
export { landedStepOf } from "./sql/landed-step-of.ts";
export { listOpenIntents } from "./sql/list-open-intents.ts";
export { listStepLateResults } from "./sql/list-step-late-results.ts";
export { listWaitingToLand } from "./sql/list-waiting-to-land.ts";
export { listUnheldResults } from "./sql/list-unheld-results.ts";

export { joinTrain } from "./train/join-train.ts";
export { listLandingsSince } from "./train/list-landings-since.ts";
export { type WaitingRow, listTrains } from "./train/list-trains.ts";
export { rebaseWork, type WorkToRebase } from "./train/rebase-work.ts";
export {
  announce,
  type Candidate,
  cloneOf,
  type Ground,
  groundOf,
  isInTrain,
  type Passenger,
  stepsAhead,
} from "./train/train.ts";

// Loaded when first called: a short process pays for what it uses.
export const loadBringBack = () => import("./land/bring-back.ts");
export const loadCommitView = () => import("./commit-view.ts");
export const loadCommit = () => import("./commit.ts");
export const loadFinishIntents = () => import("./finish-intents.ts");
export const loadReconcile = () => import("./reconcile/reconcile.ts");
