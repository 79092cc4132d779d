/** What a signature in a commit vouches for. */
export interface SignedStep {
  readonly plan: string;
  readonly step: string;
  readonly claim: number;
}

/**
 * The text that is signed: which step of which plan, done under which claim.
 *
 * The tree is left out on purpose. A rebase, an amended or a squashed commit has another tree and is still the work of
 * that claim; a copied signature can say nothing but what was true where it was made.
 */
export const signedText = ({ plan, step, claim }: SignedStep): string =>
  JSON.stringify(["pawl-step", 1, plan, step, claim]);
