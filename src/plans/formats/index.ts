// The door of this room: other rooms import from here alone.
export { type Account, accountOf } from "./account.ts";
export type { Appended } from "./append-step.ts";
export { convertPlan, WRITTEN_FORMATS } from "./convert.ts";
export { diagnosticReference } from "./diagnostic-reference.ts";
export {
  DRAFT_FORMATS,
  type DraftFormat,
  draftGuide,
  isDraftFormat,
  QUESTIONS_HEADING,
  QUESTIONS_MEMBER,
  type ReadDraft,
  readDraft,
} from "./drafts.ts";
export { FORMAT_NAMES, formatCarriesStatus, formatIsProse, formatKeptBy } from "./format-names.ts";
export { formatNamed } from "./formats.ts";
export { SPECS, SPEC_FILE, SPEC_TEXTS, TASK_FILE, foldFolder } from "./plan-folder.ts";
export type {
  FileProblem,
  PlanFormat,
  PlanProgress,
  PlanText,
  StepState,
  StepVerdict,
} from "./plan-format.ts";
export { type PlanBytes, readSource, utf8Text } from "./plan-source.ts";
export { hashOf, isKnownBy, parseKept, parseSource } from "./read-plan.ts";
export { contentOf, identityOf } from "./step-text.ts";
export { textAfter, writePlan } from "./write-plan.ts";

// Loaded when first called: a short process pays for what it uses.
export const loadAppendStep = () => import("./append-step.ts");
export const loadFormats = () => import("./formats.ts");
export const loadPassages = () => import("./passages.ts");
export const loadReadPlan = () => import("./read-plan.ts");
export const loadStepText = () => import("./step-text.ts");
