/** What a benchmark is run with. */
export interface Settings {
  /** A few rounds and small sizes: shows that it runs, and nothing about speed. */
  readonly quick: boolean;
  readonly seed: number;
}

/** The column that is judged, and what it must reach. */
export type Goal = { readonly figure: string } & (
  | { readonly most: number; readonly least?: never }
  | { readonly least: number; readonly most?: never }
);

/** One line of a table. Keys of `figures` are the column heads, with the unit. */
export interface Line {
  readonly what: string;
  readonly figures: Readonly<Record<string, number>>;
  readonly goal?: Goal;
}

export interface Benchmark {
  readonly name: string;
  readonly about: string;
  readonly run: (settings: Settings) => Promise<readonly Line[]>;
}

export function isMet({ figures, goal }: Line): boolean | undefined {
  if (goal === undefined) return undefined;
  const value = figures[goal.figure] ?? Number.NaN;
  return goal.most === undefined ? value >= goal.least : value <= goal.most;
}
