// The door of this room: other rooms import from here alone.
export { rememberFormat } from "./carries-status.ts";
export { describeChange } from "./describe-change.ts";
export { repositoryPlans } from "./files/repository-plans.ts";
export { type Spec, findSpec } from "./find-spec.ts";
export type { EditDecision } from "./growth/grow-plan.ts";
export { forgottenPlans, noticeForgotten } from "./forgotten-plans.ts";
export { type OpenedPlan, openPlan } from "./open-plan.ts";
export { keepSavedOrder } from "./keep-order.ts";
export { readPlanFiles } from "./plan-edits.ts";
export { planPathFromHere } from "./plan-path-from-here.ts";
export { branchNamesOf, headOf, planRefs } from "./plan-refs.ts";
export {
  changedHands,
  databaseFor,
  lockedStep,
  notSaved,
  ownerAnchor,
  isAsSaved,
  savedPlan,
  savedStep,
} from "./plan-state.ts";
export { saveAgain } from "./save-again.ts";
export {
  type ReadPlan,
  ensureSaved,
  insertPlanRead,
  readPlan,
  readPlanContent,
  refuseInvalid,
  refuseUnsavable,
  save,
  stepParams,
} from "./save.ts";
export { stepSnapshot } from "./step-snapshot.ts";
export { callsDone, tickedIn } from "./ticked-in.ts";
export { signedStep, signedUnder } from "./signed-step.ts";
export { adoptItem } from "./sql/adopt-item.ts";
export { clearItems } from "./transitions/sql/clear-items.ts";
export { completeItems } from "./transitions/sql/complete-items.ts";
export { COPIED, COPIED_TABLES, type CopiedTable, tableRows, writeRow } from "./sql/copy-table.ts";
export { countLanes } from "./sql/count-lanes.ts";
export { countOpenWork } from "./sql/count-open-work.ts";
export { COUNT_LIMIT, countRemaining } from "./sql/count-remaining.ts";
export { findInconsistencies } from "./sql/find-inconsistencies.ts";
export { findStepsNamed } from "./sql/find-steps-named.ts";
export { findPlanSnapshot } from "./sql/find-plan-snapshot.ts";
export { findPlan } from "./sql/find-plan.ts";
export { findStepLine } from "./sql/find-step-line.ts";
export { findStep } from "./sql/find-step.ts";
export { NOBODY_OWNS_IT } from "./transitions/sql/free-step.ts";
export { listPartings } from "./sql/list-partings.ts";
export { listArtifacts } from "./sql/list-artifacts.ts";
export { listDependencies } from "./sql/list-dependencies.ts";
export { listHeldSteps } from "./sql/list-held-steps.ts";
export { listItems } from "./sql/list-items.ts";
export { listLateResults } from "./sql/list-late-results.ts";
export { listNeighbours } from "./sql/list-neighbours.ts";
export { listOpenSteps } from "./sql/list-open-steps.ts";
export { listOfferedSteps, OPEN_STEP } from "./sql/open-step.ts";
export { listUnreachableSteps } from "./sql/list-unreachable-steps.ts";
export { listPlanCounts } from "./sql/list-plan-counts.ts";
export { listPlanRows } from "./sql/list-plan-rows.ts";
export { listPlans } from "./sql/list-plans.ts";
export { listStepItems } from "./sql/list-step-items.ts";
export { listSteps } from "./sql/list-steps.ts";
export { listSubsteps } from "./transitions/sql/list-substeps.ts";
export { listWholeStepItems } from "./sql/list-whole-step-items.ts";
export { meetDependents } from "./transitions/sql/meet-dependents.ts";
export { OPEN_WORK, type OpenStepWork } from "./sql/open-work.ts";
export { pageDependencies } from "./sql/page-dependencies.ts";
export { pageSteps } from "./sql/page-steps.ts";
export { reopenItems } from "./transitions/sql/reopen-items.ts";
export type { StepLineRow } from "./sql/step-line.ts";
export { type TransactOutcome, transact, transactUnless } from "./transact.ts";
export { completeByProof, completeSubstepsByProof } from "./transitions/complete-by-proof.ts";
export { freeHeldStep, freeSubsteps } from "./transitions/free-held-step.ts";
export { holdWithSubsteps } from "./transitions/hold-with-substeps.ts";
export { undoCompletion } from "./transitions/undo-completion.ts";
export { updatePlanStatus } from "./update-plan-status.ts";
export { withoutPlanFiles } from "./without-plan-files.ts";
export { writeBack, writeBackOrNotice } from "./write-back.ts";

// Loaded when first called: a short process pays for what it uses.
export const loadAddStep = () => import("./add-step.ts");
export const loadCheckPlan = () => import("./check-plan.ts");
export const loadCommittedPlan = () => import("./growth/committed-plan.ts");
export const loadGrowPlan = () => import("./growth/grow-plan.ts");
export const loadGrow = () => import("./growth/grow.ts");
export const loadForgottenPlans = () => import("./forgotten-plans.ts");
export const loadPrune = () => import("./prune.ts");
export const loadRestore = () => import("./restore.ts");
export const loadSaveAgain = () => import("./save-again.ts");
export const loadSave = () => import("./save.ts");
export const loadWriteBack = () => import("./write-back.ts");
