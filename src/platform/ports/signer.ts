/** Distinguishes what this clone wrote from what any program could have written. */
export interface Signer {
  /** The signature of a text, in lower-case hex. The key is made the first time it is needed. */
  readonly sign: (text: string) => string;
  /** The same without ever making a key; undefined when there is none, so that nothing can be this clone's own. */
  readonly signatureOf: (text: string) => string | undefined;
  /** Keeps, beside the key, what was committed under a signature. */
  readonly remember: (signature: string, work: SignedWork) => void;
  /** Everything that was ever committed under it here. */
  readonly workOf: (signature: string) => readonly SignedWork[];
}

/** A commit, and a name for what it changes; see `Git.changes`. */
export interface SignedWork {
  readonly commit: string;
  readonly change: string;
}
