// The door of this room: other rooms import from here alone.
export { type UncleanEnd, uncleanEnd, uncleanEndIn } from "./restore-cut-short.ts";
export { type RestoreSnapshotAnswer, restoreSnapshot } from "./restore-snapshot.ts";

// Loaded when first called: a short process pays for what it uses.
export const loadDropSnapshot = () => import("./drop-snapshot.ts");
export const loadRestoreCutShort = () => import("./restore-cut-short.ts");
export const loadRestoreSnapshot = () => import("./restore-snapshot.ts");
export const loadShowSnapshot = () => import("./show-snapshot.ts");
export const loadTakeSnapshot = () => import("./take-snapshot.ts");
