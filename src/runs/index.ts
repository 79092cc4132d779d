// The door of this room: other rooms import from here alone.
export type { VerifiedCommit, VerifiedCommitRequest } from "./commit-verified.ts";
export type { RunAnswer } from "./finish/run-answer.ts";
export { planWithAgent } from "./plan-with-agent.ts";
export { RUN_LEASE_SECONDS, type RunConfig, readConfig } from "./prepare/run-config.ts";
export type { RunRecovery } from "./prepare/run-recovery.ts";
export { type ScanExtent, dropDeadRuns, renewSentinel } from "./prepare/sentinel.ts";
export type { RunPreview } from "./preview-run.ts";
export type { ResumeRequest } from "./resume.ts";
export type { RunRequest } from "./run.ts";
export type { BuildQuestion } from "./spec/decide-build.ts";
export { EXISTING_CHOICES, type ExistingChoice } from "./spec/existing-choices.ts";
export type { BuildReview } from "./spec/review-build.ts";
export type { VerifyAnswer } from "./verify-now.ts";
export { type Submission, submitWork } from "./verify/submit-work.ts";
export { stepContext } from "./work/step-context.ts";
export type { FailedAttempt, Holder, RunEvent, WorkerEvent } from "./work/run-event.ts";

// Loaded when first called: a short process pays for what it uses.
export const loadCommitVerified = () => import("./commit-verified.ts");
export const loadDraftPlan = () => import("./draft-plan.ts");
export const loadEndSessions = () => import("./end-sessions.ts");
export const loadImprove = () => import("./improve.ts");
export const loadMergeVerified = () => import("./merge-verified.ts");
export const loadMergeApproval = () => import("./verify/base-verifier.ts");
export const loadPreviewRun = () => import("./preview-run.ts");
export const loadRevertLanded = () => import("./full/revert-landed.ts");
export const loadResume = () => import("./resume.ts");
export const loadRun = () => import("./run.ts");
export const loadSyncVerified = () => import("./sync-verified.ts");
export const loadTell = () => import("./tell.ts");
export const loadVerifyNow = () => import("./verify-now.ts");
