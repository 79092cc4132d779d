import type { Instant } from "../domain/instant.ts";
import type { TrailerEntry } from "../ports/git.ts";
import type { Signer } from "../ports/signer.ts";
import { signedClaim } from "./signed-step.ts";

/** A commit that speaks for a step and was not taken back. */
export interface Evidence {
  readonly commit: string;
  /** The number it was made under, when this clone signed it; undefined for what anybody could have written. */
  readonly claim: number | undefined;
  /** The number that it names, signed or not. */
  readonly named: number | undefined;
  readonly committedAt: Instant;
}

export type ProposalKind =
  | "unsigned"
  | "reverted"
  | "doubtful"
  | "waits"
  | "unknown-step"
  | "unknown-claim"
  | "open-work"
  | "displaced"
  | "reopened";

/** What git suggests but does not settle. */
export interface Proposal {
  readonly stepAnchor: string;
  readonly gitHash: string;
  readonly kind: ProposalKind;
  readonly reason: string;
}

export interface Weighed {
  /** Per step what may complete it, the best first: the highest signed number, then the newest. */
  readonly evidence: ReadonlyMap<string, readonly Evidence[]>;
  readonly proposals: readonly Proposal[];
}

/**
 * Sorts what commits say about a plan's steps by what it is worth.
 *
 * Anybody who can push can write a trailer, so one without this clone's signature is only proposed, unless a person
 * trusts it; and even then it never stands above one that is signed.
 */
export function weighTrailers(
  entries: readonly TrailerEntry[],
  plan: string,
  signer: Signer,
  trustUnsigned: boolean,
): Weighed {
  const signed = new Map<string, Evidence[]>();
  const unsigned = new Map<string, Evidence[]>();
  const doubts: Proposal[] = [];
  for (const entry of entries) {
    if (!entry.plans.includes(plan)) continue;
    for (const anchor of entry.steps) {
      const claim = signedClaim(signer, entry, plan, anchor);
      const doubt = doubtOf(entry, claim !== undefined);
      if (doubt) doubts.push({ stepAnchor: anchor, gitHash: entry.commit, ...doubt });
      else
        add(claim === undefined ? unsigned : signed, anchor, {
          commit: entry.commit,
          claim,
          named: claim ?? entry.claim,
          committedAt: entry.committedAt,
        });
    }
  }
  for (const list of signed.values()) list.sort((a, b) => (b.claim ?? 0) - (a.claim ?? 0));
  const evidence = trustUnsigned ? new Map([...unsigned, ...signed]) : signed;
  const untrusted = [...unsigned].map(([stepAnchor, [newest]]): Proposal => ({
    stepAnchor,
    gitHash: newest!.commit,
    kind: "unsigned",
    reason: "not signed by this clone",
  }));
  const proposals = [...doubts, ...untrusted].filter(({ stepAnchor }) => !evidence.has(stepAnchor));
  return { evidence, proposals };
}

/** What keeps a commit from counting. Naming several plans is no doubt where a signature says which one is meant. */
function doubtOf(
  { plan, ambiguous, revertedBy }: TrailerEntry,
  isSigned: boolean,
): Pick<Proposal, "kind" | "reason"> | undefined {
  if (revertedBy !== undefined)
    return { kind: "reverted", reason: `completed, then reverted by ${revertedBy}` };
  if (plan === undefined && !isSigned)
    return { kind: "doubtful", reason: `doubtful: ${ambiguous ?? "unclear"}` };
  return undefined;
}

function add(map: Map<string, Evidence[]>, anchor: string, evidence: Evidence): void {
  const list = map.get(anchor);
  if (list) list.push(evidence);
  else map.set(anchor, [evidence]);
}
