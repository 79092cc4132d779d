// The door of this room: other rooms import from here alone.
export { MIGRATIONS } from "./migrations.ts";
