import { isStepTrailer } from "../../../domain/trailer-families.ts";
import type { Trailer } from "../../ports/commits.ts";

/**
 * What one commit says about a step, on one line of the squash that it was folded into:
 * `Pawl-Proof: step-1 claim=2 content=… signature=… commit=…`.
 *
 * The whole messages would say the same in ten lines for each step, which nobody reads.
 */
const PARTS = ["Claim", "Content", "Signature"] as const;

/** The lines for one commit, one for each step that its trailers name. */
export function proofLines(
  steps: readonly string[],
  trailers: readonly Trailer[],
  commit: string,
): readonly string[] {
  const parts = PARTS.flatMap((name) => {
    const value = trailers.find(({ key }) => isKey(key, name))?.value;
    return value !== undefined && /^\w{1,64}$/.test(value) ? [`${name.toLowerCase()}=${value}`] : [];
  });
  return steps.map((step) => [`Pawl-Proof: ${step}`, ...parts, `commit=${commit}`].join(" "));
}

/** A commit that was folded into a squash, as its line tells: the trailers that it had, and its name. */
export interface ProvenCommit {
  readonly commit: string;
  readonly message: string;
}

/**
 * Newest first, as squashes are read; the lines stand oldest first.
 *
 * They count in any paragraph, since hooks add paragraphs of their own. What they say is believed by its signature only.
 */
export function readProofs(message: string): readonly ProvenCommit[] {
  const lines = message.split("\n").map((line) => line.replace(/\r$/, ""));
  const plans = lines.filter((line) => isKey(/^[\w-]+(?=: )/.exec(line)?.[0] ?? "", "Plan"));
  return lines
    .flatMap((line) => readProof(line))
    .map(({ commit, step, said }) => ({ commit, message: [step, "", ...plans, ...said].join("\n") }))
    .toReversed();
}

const PROOF = /^Pawl-Proof: (\S{1,200})((?: [a-z]+=\w+)*)$/;

function readProof(line: string) {
  const [, step, rest = ""] = PROOF.exec(line) ?? [];
  if (step === undefined) return [];
  const parts = new Map(rest.split(" ").map((part) => part.split("=") as [string, string | undefined]));
  const commit = parts.get("commit");
  if (commit === undefined || !/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) return [];
  const said = PARTS.flatMap((name) => {
    const part = parts.get(name.toLowerCase());
    return part === undefined ? [] : [`Pawl-${name}: ${part}`];
  });
  return [{ step, commit, said: [`Pawl-Step: ${step}`, ...said] }];
}

const isKey = (key: string, name: string): boolean =>
  isStepTrailer(key) && key.toLowerCase().endsWith(`-${name.toLowerCase()}`);
