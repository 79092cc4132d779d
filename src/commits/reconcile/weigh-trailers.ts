import type { Instant } from "../../domain/index.ts";
import type { TrailerEntry } from "../../platform/ports/index.ts";
import type { Binding, Bound, StepContents } from "../bound-work.ts";

/** A commit that speaks for a step and was not taken back. */
export interface TrailerEvidence {
  readonly commit: string;
  /** The number it was made under, when this clone signed it; undefined for what anyone could have written. */
  readonly claim: number | undefined;
  /** The number that it names, signed or not. */
  readonly named: number | undefined;
  readonly committedAt: Instant;
  /** What a signature of this clone on it was made for; undefined when it carries none. */
  readonly signedFor: Bound["work"] | undefined;
  readonly content: ContentMatch;
}

/** Whether a commit was made for what the step says now; `unknown` where one of the two does not say. */
export type ContentMatch = "same" | "other" | "unknown";

export type ProposalKind =
  | "unsigned"
  | "other-work"
  | "other-content"
  | "unknown-content"
  | "reverted"
  | "doubtful"
  | "waits"
  | "unknown-step"
  | "unknown-claim"
  | "open-work"
  | "not-landed"
  | "displaced"
  | "late"
  | "lost-plan"
  | "reopened";

/** What git suggests but does not settle. */
export interface Proposal {
  readonly stepAnchor: string;
  readonly gitHash: string;
  readonly kind: ProposalKind;
  readonly reason: string;
}

export interface Weighed {
  /** Per step what may complete it, the best first: for what the step says now, the highest number, the newest. */
  readonly evidence: ReadonlyMap<string, readonly TrailerEvidence[]>;
  readonly proposals: readonly Proposal[];
}

/**
 * Sorts what commits say about a plan's steps by what it is worth.
 *
 * Anyone who can push can write a trailer, so one without this clone's signature is only proposed, unless a person
 * trusts it; and even then it never stands above one that is signed. One that was made for other words than the step
 * has now never counts without a person: a plan may have the name, and its steps the names, of an older one.
 */
export function weighTrailers(
  entries: readonly TrailerEntry[],
  plan: string,
  bindingOf: Binding,
  { contents, trustUnsigned }: { readonly contents: StepContents; readonly trustUnsigned: boolean },
): Weighed {
  const signed = new Map<string, TrailerEvidence[]>();
  const unsigned = new Map<string, TrailerEvidence[]>();
  const doubts: Proposal[] = [];
  for (const entry of entries) {
    if (!entry.plans.includes(plan)) continue;
    for (const anchor of entry.steps) {
      const bound = bindingOf(entry, anchor);
      const claim = bound?.work === "this" ? bound.claim : undefined;
      const doubt = doubtOf(entry, claim !== undefined);
      if (doubt) doubts.push({ stepAnchor: anchor, gitHash: entry.commit, ...doubt });
      else
        add(claim === undefined ? unsigned : signed, anchor, {
          commit: entry.commit,
          claim,
          named: claim ?? entry.claim,
          committedAt: entry.committedAt,
          signedFor: bound?.work,
          content: matchOf(
            contents.get(anchor) ?? null,
            claim === undefined ? entry.contents : [bound!.content].filter((one) => one !== null),
          ),
        });
    }
  }
  const evidence = new Map(signed);
  for (const [anchor, list] of trustUnsigned ? unsigned : [])
    evidence.set(anchor, [...(signed.get(anchor) ?? []), ...list]);
  for (const list of [...evidence.values(), ...unsigned.values()]) list.sort(byWorth);
  const untrusted = [...unsigned].map(([stepAnchor, [newest]]): Proposal => ({
    stepAnchor,
    gitHash: newest!.commit,
    ...(newest!.content === "other" ? OTHER_CONTENT : WHY_PROPOSED[newest!.signedFor ?? "nothing"]),
  }));
  const proposals = [...doubts, ...untrusted].filter(({ stepAnchor }) => !evidence.has(stepAnchor));
  return { evidence, proposals: onceEach(proposals) };
}

const WORTH: Readonly<Record<ContentMatch, number>> = { same: 2, unknown: 1, other: 0 };

/** Signed before unsigned, unless it is signed for something else. */
const byWorth = (a: TrailerEvidence, b: TrailerEvidence): number =>
  Number(a.content === "other") - Number(b.content === "other") ||
  Number(b.claim !== undefined) - Number(a.claim !== undefined) ||
  WORTH[b.content] - WORTH[a.content] ||
  (b.claim ?? 0) - (a.claim ?? 0);

function matchOf(wanted: string | null, said: readonly string[]): ContentMatch {
  if (wanted === null || said.length === 0) return "unknown";
  return said.includes(wanted) ? "same" : "other";
}

/** The newest of each kind: what is said of a step twice is not said better. */
function onceEach(proposals: readonly Proposal[]): readonly Proposal[] {
  const first = new Map<string, Proposal>();
  for (const proposal of proposals) {
    const key = `${proposal.kind} ${proposal.stepAnchor}`;
    if (!first.has(key)) first.set(key, proposal);
  }
  return [...first.values()];
}

/**
 * What commits say about a plan that is not there any more, for steps that are called alike here.
 *
 * The file may have been given another name. It may also have been another plan: `step-1` is in most of them. So it is
 * reported, and believed by no option.
 */
export function weighLostPlans(
  entries: readonly TrailerEntry[],
  isLost: (plan: string) => boolean,
): readonly Proposal[] {
  const found = entries.flatMap(({ plan, steps, commit, revertedBy }) =>
    plan === undefined || revertedBy !== undefined || !isLost(plan)
      ? []
      : steps.map((stepAnchor): Proposal => {
          const reason = `made for ${plan}, which no longer exists: is this plan that one, renamed?`;
          return { stepAnchor, gitHash: commit, kind: "lost-plan", reason };
        }),
  );
  return onceEach(found);
}

export type Why = Pick<Proposal, "kind" | "reason">;

const UNSIGNED: Why = { kind: "unsigned", reason: "not signed by this clone" };

const OTHER_CONTENT: Why = {
  kind: "other-content",
  reason: "made for a step of this name that said something else",
};

/** Why a commit does not settle a step by itself, by what it says of the step's words. */
export const CONTENT_DOUBTS: Readonly<Record<ContentMatch, Why | undefined>> = {
  same: undefined,
  other: OTHER_CONTENT,
  unknown: {
    kind: "unknown-content",
    reason:
      "it does not say what its step said: an older Pawl made it, perhaps for an older plan of this name",
  },
};

const WHY_PROPOSED: Readonly<Record<Bound["work"] | "nothing", Why>> = {
  nothing: UNSIGNED,
  this: UNSIGNED,
  other: {
    kind: "other-work",
    reason: "signed by this clone for other changes than these: amended, squashed elsewhere, or copied",
  },
  unknown: {
    kind: "other-work",
    reason:
      "signed by this clone, but Pawl has no record of its changes: the call died, or the records are lost",
  },
};

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

function add(map: Map<string, TrailerEvidence[]>, anchor: string, evidence: TrailerEvidence): void {
  const list = map.get(anchor);
  if (list) list.push(evidence);
  else map.set(anchor, [evidence]);
}
