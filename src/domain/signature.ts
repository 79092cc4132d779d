/** What a signature in a commit vouches for. */
export interface SignedStep {
  readonly plan: string;
  readonly step: string;
  readonly claim: number;
  /** A hash of what the step said when it was done; null in commits from before signatures covered it. */
  readonly content: string | null;
}

/**
 * The text that is signed: which step of which plan, done under which claim, and what that step said.
 *
 * Without the content a new plan under an old name would be completed by the old plan's commits: `step-1` is in most
 * plans. The tree is left out on purpose. A rebase, an amended or a squashed commit has another tree and is still the
 * work of that claim; a copied signature can say nothing but what was true where it was made.
 */
export const signedText = ({ plan, step, claim, content }: SignedStep): string =>
  content === null
    ? JSON.stringify(["pawl-step", 1, plan, step, claim])
    : JSON.stringify(["pawl-step", 2, plan, step, claim, content]);
