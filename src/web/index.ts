// The door of this room: other rooms import from here alone.
export { uiReference } from "./ui-reference.ts";

// Loaded when first called: a short process pays for what it uses.
export const loadStartUi = () => import("./start-ui.ts");
