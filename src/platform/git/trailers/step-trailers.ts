import { posix } from "node:path";
import { bareAnchor } from "../../../domain/index.ts";
import type { TrailerDoubt } from "../../ports/index.ts";
import { readTrailers } from "./trailer-block.ts";

/** What one message says about steps. */
export interface StepTrailers {
  /** Undefined when there is a doubt. */
  readonly plan: string | undefined;
  readonly plans: readonly string[];
  readonly steps: readonly string[];
  readonly claim: number | undefined;
  readonly claims: readonly number[];
  readonly contents: readonly string[];
  readonly signatures: readonly string[];
  readonly doubt: TrailerDoubt | undefined;
}

/** What is said of a message that is too large to be read; it is reported, since it may have named a step. */
export const UNREADABLE_STEPS: StepTrailers = {
  plan: undefined,
  plans: [],
  steps: [],
  claim: undefined,
  claims: [],
  contents: [],
  signatures: [],
  doubt: "too-large",
};

/** Makes a reader of messages for some families of trailers; it gives undefined for a message that names no step. */
export function stepTrailerReader(
  prefixes: readonly string[],
): (message: string) => StepTrailers | undefined {
  const keys = (name: string): ReadonlySet<string> =>
    new Set(prefixes.map((prefix) => `${prefix}-${name}`.toLowerCase()));
  const [planKeys, stepKeys, claimKeys] = [keys("Plan"), keys("Step"), keys("Claim")];
  const [contentKeys, signatureKeys] = [keys("Content"), keys("Signature")];

  return (message) => {
    const trailers = readTrailers(message);
    const valuesOf = (wanted: ReadonlySet<string>): string[] =>
      trailers.filter(({ key }) => wanted.has(key.toLowerCase())).map(({ value }) => value);
    const steps = distinct(valuesOf(stepKeys).flatMap(anchorsIn));
    if (steps.length === 0) return undefined;
    if (steps.length > MAX_STEPS) return UNREADABLE_STEPS;
    const plans = distinct(
      valuesOf(planKeys)
        .filter(isPath)
        .map((path) => posix.normalize(path)),
    );
    const claims = distinct(
      valuesOf(claimKeys)
        .filter((value) => /^\d{1,15}$/.test(value))
        .map(Number),
    );
    return {
      plan: plans.length === 1 ? plans[0] : undefined,
      plans,
      steps,
      claim: claims.length === 1 ? claims[0] : undefined,
      claims,
      contents: distinct(valuesOf(contentKeys).filter(isHash)),
      signatures: distinct(valuesOf(signatureKeys).filter(isHash)),
      doubt: PLAN_DOUBTS[Math.min(plans.length, 2)],
    };
  };
}

/**
 * By the number of plans that a message names.
 *
 * A line break smuggled into a title can add a trailer that nothing tells from a real one. It cannot take the real
 * plan away, so a message of two plans is doubtful and none of its steps count.
 */
const PLAN_DOUBTS: readonly (TrailerDoubt | undefined)[] = ["no-plan", undefined, "several-plans"];

const MAX_STEPS = 1_000;

const distinct = <T>(values: readonly T[]): readonly T[] => [...new Set(values)];

/** Several anchors may share a trailer; what has blanks or control characters in it is no anchor. */
const anchorsIn = (value: string): string[] =>
  value
    .split(",")
    .map((part) => bareAnchor(part.trim()))
    .filter((anchor) => /^[^\s\p{C}]{1,200}$/u.test(anchor));

const isHash = (value: string): boolean => /^[0-9a-f]{64}$/.test(value);

const isPath = (value: string): boolean => value !== "" && value.length <= 4096 && !/\p{Cc}/u.test(value);
