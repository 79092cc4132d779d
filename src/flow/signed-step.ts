import { type SignedStep, signedText } from "../domain/signature.ts";
import type { CommitNote } from "../ports/commits.ts";
import type { Signer } from "../ports/signer.ts";

/** What a commit says about steps, with everything it offers as proof. */
export type Claims = Pick<CommitNote, "plans" | "steps" | "claims" | "signatures">;

/** More than this is no commit of ours, and not worth the work of looking for one among them. */
const MOST_TRIED = 10_000;

/**
 * The number under which this clone itself made the commit for a step; undefined when it did not.
 *
 * A signature is good for one plan, step and claim. In a squash many stand side by side, so each step looks for the
 * number and the signature that fit it; what fits nothing proves nothing.
 */
export function signedClaim(signer: Signer, said: Claims, plan: string, step: string): number | undefined {
  const { plans, steps, claims, signatures } = said;
  if (!plans.includes(plan) || !steps.includes(step) || signatures.length === 0) return undefined;
  if (claims.length * steps.length > MOST_TRIED) return undefined;
  return claims.filter((claim) => isSigned(signer, said, { plan, step, claim })).toSorted((a, b) => b - a)[0];
}

export function isSigned(
  signer: Signer,
  { signatures }: Pick<Claims, "signatures">,
  signed: SignedStep,
): boolean {
  const signature = signer.signatureOf(signedText(signed));
  return signature !== undefined && signatures.includes(signature);
}
