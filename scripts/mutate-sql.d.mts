export interface SqlMutant {
  readonly line: number;
  readonly was: string;
  readonly became: string;
  /** The whole file with it. */
  readonly text: string;
}

/** Every mutant of a file: the line it is on, what it was and what it became. */
export function mutantsOf(text: string): readonly SqlMutant[];
