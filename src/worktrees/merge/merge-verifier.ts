/** How it is known that the base may get a tree. */
export interface MergeVerification {
  /**
   * `passed`: the check has passed on exactly this tree. `not_verified`: the settings name no check. `unverified`: a
   * person decided to do without. `pending`: the check runs before the base moves; only a preview says so.
   */
  readonly outcome: "passed" | "not_verified" | "unverified" | "pending";
  readonly because: string;
  /** What is run; null where the settings name nothing. */
  readonly check: string | null;
  readonly tree: string;
  /** Whether a verdict was there before: one that passed, so that nothing had to be run, or of `pending` one that failed. */
  readonly known: boolean;
}

/** A tree that a branch is to get. */
export interface MergeCandidate {
  readonly tree: string;
  /** The plan's branch and its base; one of them moves. */
  readonly branch: string;
  readonly base: string;
  /** Where the one that moves is now. */
  readonly from: string;
  readonly plan: string | undefined;
}

/** Says whether a branch may get a tree. The rooms above know the checks, and pass this in. */
export interface MergeVerifier {
  /** What is known without running anything. */
  readonly look: (candidate: MergeCandidate) => Promise<MergeVerification>;
  /** Runs the check; throws when the tree must not land. */
  readonly verify: (candidate: MergeCandidate) => Promise<MergeVerification>;
}
