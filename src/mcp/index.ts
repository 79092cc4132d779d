// The door of this room: other rooms import from here alone.
export { TOOLS } from "./tools/index.ts";

// Loaded when first called: a short process pays for what it uses.
export const loadServe = () => import("./serve.ts");
