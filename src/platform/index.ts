// The door of this room: other rooms import from here alone.
export { baseCommit, baseNames, commitAmong } from "./base-commit.ts";
export { type Allowance, callLimit } from "./call-limit.ts";
export { fileStamp, isSameFile, isSettled, isUntouched } from "./file-stamp.ts";
export { type Open, lazyDatabase } from "./lazy-database.ts";
export { lazy } from "./lazy.ts";
export { makeFolders } from "./make-folders.ts";
export { type Digest, nodeCrypto } from "./node-crypto.ts";
export type {
  ArtifactRow,
  CheckpointRow,
  DependencyRow,
  EventRow,
  IntentRow,
  ItemRow,
  LandingRow,
  LateResultRow,
  PlanRow,
  SessionRow,
  SnapshotRow,
  StepRow,
  TreeVerdictRow,
  VerdictRow,
} from "./rows.ts";
export { SCHEMA_VERSION } from "./schema-version.ts";
export { leftScratch, makeScratch, sweepScratch } from "./scratch-folder.ts";
export { serialQueue } from "./serial-queue.ts";
export { sleep } from "./sleep.ts";
export { lock, pick, statement } from "./statement.ts";
export { syncPath } from "./sync-path.ts";
export { FEW, syncPaths, syncTrees } from "./sync-paths.ts";

// Loaded when first called: a short process pays for what it uses.
export const loadSleep = () => import("./sleep.ts");
