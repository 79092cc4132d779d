// The door of this room: other rooms import from here alone.
export {
  type MissingCommit,
  type MissingReason,
  type MissingWork,
  bringNeeded,
  finishMove,
  lackingIn,
  notCheckedOut,
} from "./bring-foundation.ts";
export { canClaim, ownerIsGone } from "./choose-step.ts";
export { type ClaimAnswer, type ClaimRequest, claim } from "./claim.ts";
export { type ReadyAnswer, ready } from "./ready.ts";
export { refuseFilesOfLostStep } from "./refuse-files-of-lost-step.ts";
export { type NeededCommit, listNeededCommits } from "./sql/list-needed-commits.ts";
export { type Waiting, editedSteps, stoppedHolder, whyWaiting } from "./why-nothing.ts";

// Loaded when first called: a short process pays for what it uses.
export const loadClaim = () => import("./claim.ts");
export const loadReady = () => import("./ready.ts");
