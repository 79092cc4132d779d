import { displayWidth, padEnd } from "./layout.ts";

/** A longer name moves only what follows it on its own line. */
const WIDEST_NAME = 24;

/** Brings names that stand below each other to one width. */
export function nameColumn(steps: readonly { readonly anchor: string }[]): (anchor: string) => string {
  const widest = Math.max(0, ...steps.map(({ anchor }) => displayWidth(anchor)));
  return (anchor) => padEnd(anchor, Math.min(widest, WIDEST_NAME));
}
