import { type SignedStep, signedText } from "../domain/index.ts";
import type { CommitNote, Signer } from "../platform/ports/index.ts";

/** What a commit says about steps, with everything it offers as proof. */
export type Claims = Pick<CommitNote, "plans" | "steps" | "claims" | "contents" | "signatures">;

/** More than this is no commit of ours, and not worth the work of looking for one among them. */
const MOST_TRIED = 10_000;

/**
 * What this clone itself signed in a commit for a step; undefined when it signed nothing for it.
 *
 * A signature is good for one plan, step, claim and content. In a squash many stand side by side, so each step looks
 * for the number and the signature that fit it; what fits nothing proves nothing. One for the content that is asked
 * about comes first, then the highest number.
 */
export function signedStep(
  signer: Signer,
  said: Claims,
  { plan, step, content }: Pick<SignedStep, "plan" | "step" | "content">,
): SignedStep | undefined {
  const { plans, steps, claims, signatures } = said;
  if (!plans.includes(plan) || !steps.includes(step) || signatures.length === 0) return undefined;
  if (claims.length * steps.length > MOST_TRIED) return undefined;
  return contentsToTry(said, content)
    .flatMap((one) => claims.map((claim) => ({ plan, step, claim, content: one })))
    .filter((signed) => isSigned(signer, said, signed))
    .toSorted(
      (a, b) => Number(b.content === content) - Number(a.content === content) || b.claim - a.claim,
    )[0];
}

/** All that the commit names; of a squash of hundreds only the one that matters, since each costs a signature. */
function contentsToTry(
  { claims, steps, contents }: Claims,
  wanted: string | null,
): readonly (string | null)[] {
  const isFew = claims.length * steps.length * contents.length <= MOST_TRIED;
  return [...(isFew ? contents : contents.filter((one) => one === wanted)), null];
}

/** What this clone signed in a commit for a step under one claim, whatever the step says by now. */
export const signedUnder = (
  signer: Signer,
  said: Pick<Claims, "contents" | "signatures">,
  claimed: Omit<SignedStep, "content">,
): SignedStep | undefined =>
  [...said.contents, null]
    .map((content) => ({ ...claimed, content }))
    .find((signed) => isSigned(signer, said, signed));

function isSigned(signer: Signer, { signatures }: Pick<Claims, "signatures">, signed: SignedStep): boolean {
  const signature = signer.signatureOf(signedText(signed));
  return signature !== undefined && signatures.includes(signature);
}
