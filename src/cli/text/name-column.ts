import { displayWidth, padEnd, shorten } from "./layout.ts";

type Named = readonly { readonly anchor: string }[];

/** A longer name moves only what follows it on its own line. */
const WIDEST_NAME = 24;

/** Brings names that stand below each other to one width. They stay whole: agents and people copy them from here. */
export function nameColumn(steps: Named): (anchor: string) => string {
  const widest = widestOf(steps);
  return (anchor) => padEnd(anchor, Math.min(widest, WIDEST_NAME));
}

/** The part of a line that names may take where they are only read: what is said about a step needs the rest. */
const SHARE = 0.3;
const NARROWEST = 12;

/** The columns that such a name may take. */
export const nameWidth = (columns: number): number => Math.max(Math.floor(columns * SHARE), NARROWEST);

/** The same for names that are only read: a longer one is shortened in its middle. */
export function shortNameColumn(steps: Named, columns: number): (anchor: string) => string {
  const most = nameWidth(columns);
  const widest = widestOf(steps);
  return (anchor) => padEnd(shorten(anchor, most), Math.min(widest, most));
}

const widestOf = (steps: Named): number =>
  steps.reduce((widest, { anchor }) => Math.max(widest, displayWidth(anchor)), 0);
