// The door of this room: other rooms import from here alone.
export type { PrepareAnswer } from "./prepare.ts";

// Loaded when first called: a short process pays for what it uses.
export const loadCopyStore = () => import("./copy-store.ts");
export const loadPrepare = () => import("./prepare.ts");
