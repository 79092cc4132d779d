// The door of this room: other rooms import from here alone.
export { type StepCheck, canFail, checksFor, checksKey, openWork } from "./checks.ts";
export {
  CHECKLIST,
  type Evidence,
  MOST_ATTEMPTS,
  MOST_CUT_OFF,
  TESTS_CHECK,
  decidingLines,
  failedCheckIn,
  type Verdict,
  type Where,
  ownEvidence,
  seenBeside,
  whereRun,
} from "./evidence.ts";
export { bisect } from "./bisect.ts";
export {
  type FullCulprit,
  type FullFailure,
  type FullState,
  fullStateOf,
  fullWords,
  leftWords,
} from "./full-state.ts";
export { listVerdictsByCheck } from "./sql/list-verdicts-by-check.ts";
export { judgeTests, type TestsTrial } from "./tests/judge-tests.ts";
export { pathMatcher } from "./tests/path-pattern.ts";
export { type TestsConcern, weighTests } from "./tests/weigh-tests.ts";
export { countAttempt } from "./sql/count-attempt.ts";
export { countAttempts } from "./sql/count-attempts.ts";
export { findRecordedPass } from "./sql/find-recorded-pass.ts";
export { findTreeVerdict } from "./sql/find-tree-verdict.ts";
export { insertAttempt } from "./sql/insert-attempt.ts";
export { insertTreeVerdict } from "./sql/insert-tree-verdict.ts";
export { insertVerdict } from "./sql/insert-verdict.ts";
export { listAttempts } from "./sql/list-attempts.ts";
export { listPlanPasses } from "./sql/list-plan-passes.ts";
export { listTreeVerdicts } from "./sql/list-tree-verdicts.ts";
export { listVerdicts } from "./sql/list-verdicts.ts";
export { uncountAttempt } from "./sql/uncount-attempt.ts";
export type { VerifySettings } from "./verify-settings.ts";
export { worktreeToVerify, type WorktreeToVerify } from "./worktree-to-verify.ts";

// Loaded when first called: a short process pays for what it uses.
export const loadWorktreeToVerify = () => import("./worktree-to-verify.ts");
