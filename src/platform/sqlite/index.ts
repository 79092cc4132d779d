// The door of this room: other rooms import from here alone.
export { openEmbedded } from "./embedded-store.ts";
export { lifelineFiles } from "./lifeline-files.ts";
export { sqliteMovedMarker } from "./moved-marker.ts";

// Loaded when first called: a short process pays for what it uses.
export const loadReadTugstate = () => import("./read-tugstate.ts");
export const loadLockFiles = () => import("./lock-files.ts");
