// The door of this room: other rooms import from here alone.

// Loaded when first called: a short process pays for what it uses.
export const loadFacts = () => import("./facts.ts");
export const loadOpenPostgres = () => import("./open-postgres.ts");
