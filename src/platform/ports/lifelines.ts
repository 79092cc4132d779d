/**
 * Proof of life.
 *
 * A lifeline is a lock that the kernel frees when its process ends, however it ends. Unlike a pid it cannot be
 * inherited by a stranger, and unlike a heartbeat it cannot be late.
 */
export interface Lifelines {
  /** Takes the lifeline of a session until `letGo`, or for as long as this process lives; `session/alive` when held. */
  readonly hold: (sessionId: string) => Lifeline;
  /** `unknown` when there is no lifeline to look at, so nothing is proven. */
  readonly look: (sessionId: string) => "held" | "free" | "unknown";
  /** Sessions whose lifeline lies around free. */
  readonly stale: () => readonly string[];
  /** Removes the file of a session that has ended. */
  readonly forget: (sessionId: string) => void;
}

export interface Lifeline {
  /** A second call changes nothing. */
  readonly letGo: () => void;
}
