// The door of this room: other rooms import from here alone.
export { type ArtifactAnswer, artifact } from "./artifact.ts";
export { type Caller, type StepAddress, isOwn } from "./caller.ts";
export type { ClaimedStep } from "./claimed-step.ts";
export { type CompleteAnswer, complete } from "./complete.ts";
export { heartbeat } from "./heartbeat.ts";
export { type BlockedWork, type KeptTick, type KeptWork, keptWorkOf } from "./kept-work.ts";
export { holdLateCommit, lateRef } from "./late-result.ts";
export { retry } from "./operate.ts";
export { ownerParams, ownsIt, whyRefused } from "./owned-step.ts";
export { type ItemView, type PlanView, type StepView, tickableItems } from "./plan-view.ts";
export { type ExpectedSession, type ExpectedStep, refuseStaleSession } from "./refuse-stale.ts";
export { type ReleaseAnswer, release } from "./release.ts";
export { viewOf } from "./show.ts";
export { findCompletedBy } from "./sql/find-completed-by.ts";
export { findGrant } from "./sql/find-grant.ts";
export { type LostGrant, findLostGrant } from "./sql/find-lost-grant.ts";
export { lastFreshClaim } from "./sql/last-fresh-claim.ts";
export { lastReopening } from "./sql/last-reopening.ts";
export { listHeldRefs } from "./sql/list-held-refs.ts";
export { listOpenDependencies } from "./sql/list-open-dependencies.ts";
export { listStepArtifacts } from "./sql/list-step-artifacts.ts";
export { listStoppedSteps } from "./sql/list-stopped-steps.ts";
export { markAwaitingVerification } from "./sql/mark-awaiting-verification.ts";
export { CALLER_OWNS_IT, type OwnerParams, goesWith } from "./sql/owner.ts";
export { pageVerifications } from "./sql/list-verifications.ts";
export { rejectStep } from "./sql/reject-step.ts";
export { type StartAnswer, begin, start } from "./start.ts";
export {
  NO_CHECK,
  type VerifiedBy,
  byAnchor,
  verificationOf,
  verificationWords,
  verificationsIn,
} from "./step-verification.ts";
export type { TakenOver } from "./stop-owner.ts";
export { type ItemChange, type UpdateAnswer, update } from "./update.ts";

// Loaded when first called: a short process pays for what it uses.
export const loadArtifact = () => import("./artifact.ts");
export const loadComplete = () => import("./complete.ts");
export const loadHeartbeat = () => import("./heartbeat.ts");
export const loadOperate = () => import("./operate.ts");
export const loadRelease = () => import("./release.ts");
export const loadReopen = () => import("./reopen.ts");
export const loadShow = () => import("./show.ts");
export const loadStart = () => import("./start.ts");
export const loadUpdate = () => import("./update.ts");
