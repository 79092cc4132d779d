import { type SignedStep, signedText } from "../domain/index.ts";
import type { Ports, SignedWork, StepOnBranch, TrailerEntry } from "../platform/ports/index.ts";
import { signedStep } from "../plans/index.ts";

/** What a good signature of this clone says about a step of a commit; undefined where there is none. */
export type Binding = (entry: TrailerEntry, step: string) => Bound | undefined;

export interface Bound extends Pick<SignedStep, "claim" | "content"> {
  /** `this`: made for exactly this change. `other`: made for another one. `unknown`: it is not on record what it was made for. */
  readonly work: "this" | "other" | "unknown";
}

/**
 * Holds commits with good signatures against what was signed.
 *
 * `contents` says what each step says now: of several signatures for a step, the one for that counts.
 *
 * A signature says which step and which claim; anyone can copy it to another commit. So it counts only on a commit that
 * changes what the signed one changed: the same commit, the same lines (rebased, picked, reworded), or all of what a
 * chain of signed commits changed (squashed), as long as git still has those.
 */
export async function boundWork(
  ports: Ports,
  plan: string,
  entries: readonly TrailerEntry[],
  contents: StepContents = new Map(),
): Promise<Binding> {
  const casesIn = new Map(entries.map((entry) => [entry, casesOf(ports, plan, entry, contents)]));
  const cases = [...casesIn.values()].flat();
  const open = cases.filter(({ entry, works }) => !works.some(({ commit }) => commit === entry.commit));
  const changes = await changesOf(ports, open);
  const unlike = open.filter(({ entry, works }) => {
    const change = changes.get(entry.commit);
    return change === undefined || !works.some((work) => work.change === change);
  });
  const unbound = new Set(await withoutSquashes(ports, unlike, changes));
  return (entry, step) => {
    const found = casesIn.get(entry)?.find((one) => one.step === step);
    if (found === undefined) return undefined;
    const { works, signed } = found;
    return { ...signed, work: works.length === 0 ? "unknown" : unbound.has(found) ? "other" : "this" };
  };
}

/** A squash that Pawl made itself is the work of every step that was bound to a commit in it. */
export async function rememberSquash(
  ports: Ports,
  parts: readonly StepOnBranch[],
  { tip, commit }: { readonly tip: string; readonly commit: string },
): Promise<void> {
  const inside = new Set(parts.map((part) => part.commit));
  const entries = (await ports.git.planCommits({ refs: [tip] })).filter((entry) => inside.has(entry.commit));
  const [change = ""] = await ports.git.changes([{ commit }]);
  for (const plan of new Set(entries.flatMap((entry) => entry.plans))) {
    const bindingOf = await boundWork(ports, plan, entries);
    for (const entry of entries)
      for (const step of entry.steps) {
        const bound = bindingOf(entry, step);
        if (bound?.work === "this" && entry.revertedBy === undefined)
          rememberWork(ports, { plan, step, claim: bound.claim, content: bound.content }, { commit, change });
      }
  }
}

/** Notes that a commit is the work it is signed for. */
export function rememberWork({ signer }: Ports, signed: SignedStep, work: SignedWork): void {
  const signature = signer.sign(signedText(signed));
  const isKnown = signer
    .workOf(signature)
    .some(({ commit, change }) => commit === work.commit && change === work.change);
  if (!isKnown) signer.remember(signature, work);
}

/** A hash of what each step says now, by anchor; null for one that was saved before it was kept. */
export type StepContents = ReadonlyMap<string, string | null>;

interface Case {
  readonly entry: TrailerEntry;
  readonly step: string;
  readonly signed: SignedStep;
  readonly works: readonly SignedWork[];
}

function casesOf(
  { signer }: Ports,
  plan: string,
  entry: TrailerEntry,
  contents: StepContents,
): readonly Case[] {
  return entry.steps.flatMap((step) => {
    const signed = signedStep(signer, entry, { plan, step, content: contents.get(step) ?? null });
    const signature = signed && signer.signatureOf(signedText(signed));
    if (signed === undefined || signature === undefined) return [];
    return [{ entry, step, signed, works: signer.workOf(signature) }];
  });
}

async function changesOf({ git }: Ports, open: readonly Case[]): Promise<ReadonlyMap<string, string>> {
  const commits = [...new Set(open.map(({ entry }) => entry.commit))];
  const changes = await git.changes(commits.map((commit) => ({ commit })));
  return new Map(commits.map((commit, index) => [commit, changes[index]!]));
}

/** Those of some commits that are no squash of what was signed either. */
async function withoutSquashes(
  ports: Ports,
  unlike: readonly Case[],
  changes: ReadonlyMap<string, string>,
): Promise<readonly Case[]> {
  const left: Case[] = [];
  for (const commit of new Set(unlike.map(({ entry }) => entry.commit))) {
    const here = unlike.filter(({ entry }) => entry.commit === commit);
    const held = await squashed(ports, here, changes.get(commit));
    left.push(...here.filter((one) => !held.has(one)));
  }
  return left;
}

/**
 * The steps whose signed commits are all in one chain that changes, from where it left the line of the squash, what the
 * squash changes.
 */
async function squashed(
  ports: Ports,
  here: readonly Case[],
  change: string | undefined,
): Promise<ReadonlySet<Case>> {
  const none = new Set<Case>();
  const commits = [...new Set(here.flatMap(({ works }) => works.map(({ commit }) => commit)))];
  if (change === undefined || commits.length === 0 || commits.length > MOST_TRIED) return none;
  const missing = new Set(await ports.git.missingCommits(commits));
  const branches = await ports.branches();
  const before = (await branches.commits([`${here[0]!.entry.commit}^1`])).values().next().value;
  if (before === undefined) return none;
  for (const tip of commits.filter((commit) => !missing.has(commit))) {
    const since = await branches.mergeBase(before, tip);
    if (since === undefined || since === tip) continue;
    const [whole] = await ports.git.changes([{ commit: tip, since }]);
    if (whole !== change) continue;
    const inside = new Set(await inChain(ports, commits, tip));
    return new Set(here.filter(({ works }) => works.some(({ commit }) => inside.has(commit))));
  }
  return none;
}

async function inChain(ports: Ports, commits: readonly string[], tip: string): Promise<readonly string[]> {
  const outside = new Set(await ports.git.unreachable(commits, [tip]));
  return commits.filter((commit) => !outside.has(commit));
}

/** A squash of more steps than this is reviewed by a person. */
const MOST_TRIED = 200;
