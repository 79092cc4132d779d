import { TRAILER_FAMILIES } from "../domain/trailer-families.ts";
import { readTrailers, type Trailer } from "./trailer-block.ts";

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
  const family =
    TRAILER_FAMILIES.find((one) => trailers.some(({ key }) => isKey(key, one, "Step"))) ?? "Pawl";
  const parts = PARTS.flatMap((name) => {
    const value = trailers.find(({ key }) => isKey(key, family, name))?.value;
    return value !== undefined && /^\w{1,64}$/.test(value) ? [`${name.toLowerCase()}=${value}`] : [];
  });
  return steps.map((step) => [`${family}-Proof: ${step}`, ...parts, `commit=${commit}`].join(" "));
}

/** A commit that was folded into a squash, as its line tells: the trailers that it had, and its name. */
export interface ProvenCommit {
  readonly commit: string;
  readonly message: string;
}

/** Newest first, as squashes are told; the lines stand oldest first. */
export function readProofs(message: string): readonly ProvenCommit[] {
  const trailers = readTrailers(message);
  const proofs = TRAILER_FAMILIES.flatMap((family) =>
    trailers
      .filter(({ key }) => isKey(key, family, "Proof"))
      .flatMap(({ value }) => readProof(family, value)),
  );
  const plans = trailers.filter(({ key }) => TRAILER_FAMILIES.some((family) => isKey(key, family, "Plan")));
  const head = plans.map(({ key, value }) => `${key}: ${value}`);
  return proofs
    .map(({ commit, step, lines }) => ({ commit, message: [step, "", ...head, ...lines].join("\n") }))
    .toReversed();
}

const PROOF = /^(\S{1,200})((?: [a-z]+=\w+)*)$/;

function readProof(family: string, value: string) {
  const [, step, rest = ""] = PROOF.exec(value) ?? [];
  if (step === undefined) return [];
  const said = new Map(rest.split(" ").map((part) => part.split("=") as [string, string | undefined]));
  const commit = said.get("commit");
  if (commit === undefined || !/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) return [];
  const lines = PARTS.flatMap((name) => {
    const part = said.get(name.toLowerCase());
    return part === undefined ? [] : [`${family}-${name}: ${part}`];
  });
  return [{ step, commit, lines: [`${family}-Step: ${step}`, ...lines] }];
}

const isKey = (key: string, family: string, name: string): boolean =>
  key.toLowerCase() === `${family}-${name}`.toLowerCase();
