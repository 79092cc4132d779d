export interface Proof {
  readonly file: string;
  readonly line: number;
  /** The first line of what the citation stands above. */
  readonly above: string;
}

/** By guarantee, the places that prove it. */
export function proofs(root: URL): ReadonlyMap<string, readonly Proof[]>;
