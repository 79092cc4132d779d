// The door of this room: other rooms import from here alone.
export type { PrepareAnswer } from "./prepare.ts";

export type { Importable } from "./import/find-importable.ts";
export type { ImportAnswer } from "./import/import-progress.ts";

// Loaded when first called: a short process pays for what it uses.
export const loadCopyStore = () => import("./copy-store.ts");
export const loadPrepare = () => import("./prepare.ts");
export const loadFindImportable = () => import("./import/find-importable.ts");
export const loadImportProgress = () => import("./import/import-progress.ts");
