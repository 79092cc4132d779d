/** What a benchmark is run with. */
export interface Settings {
  /** A few rounds and small sizes: shows that it runs, and nothing about speed. */
  readonly quick: boolean;
  readonly seed: number;
}

/** The columns that are judged, and what each of them must reach. */
export type Goal = { readonly figures: readonly string[] } & (
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
  /** Runs only where it is named: it takes long. */
  readonly isAsked?: true;
  readonly run: (settings: Settings) => Promise<readonly Line[]>;
}

export function isMet({ figures, goal }: Line): boolean | undefined {
  if (goal === undefined) return undefined;
  const values = goal.figures.map((name) => figures[name] ?? Number.NaN);
  return values.every((value) => (goal.most === undefined ? value >= goal.least : value <= goal.most));
}
