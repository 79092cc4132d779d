import { describe, expect, it } from "vitest";
import { signedText } from "../../domain/signature.ts";
import type { TrailerEntry } from "../../platform/ports/git.ts";
import type { Signer } from "../../platform/ports/signer.ts";
import type { Binding } from "../bound-work.ts";
import { signedStep } from "../../plans/signed-step.ts";
import { weighLostPlans, weighTrailers } from "./weigh-trailers.ts";

/** Signs by saying what was signed, which no test can forge by accident. */
const signer: Signer = {
  sign: (text) => `signed ${text}`,
  signatureOf: (text) => `signed ${text}`,
  remember: () => {},
  workOf: () => [],
};
const PLAN = "plan.md";
const WORDS = "what the step says";
const signatureOf = (step: string, claim: number, plan = PLAN, content: string | null = WORDS) =>
  signer.sign(signedText({ plan, step, claim, content }));

let made = 0;
const entry = (
  step: string,
  claims: readonly number[] = [],
  more: Partial<TrailerEntry> = {},
): TrailerEntry => ({
  commit: `c${(made += 1)}`,
  plan: PLAN,
  plans: [PLAN],
  steps: [step],
  claim: claims.length === 1 ? claims[0] : undefined,
  claims,
  contents: [WORDS],
  signatures: claims.map((claim) => signatureOf(step, claim)),
  committedAt: "2026-01-01T00:00:00.000Z",
  via: "trailer",
  revertedBy: undefined,
  ambiguous: undefined,
  ...more,
});

/** Every good signature is on the commit it was made for, but for commits that say otherwise. */
const bindingOf: Binding = (one, step) => {
  const signed = signedStep(signer, one, { plan: PLAN, step, content: WORDS });
  return signed && { ...signed, work: one.commit === COPY ? "other" : "this" };
};
const COPY = "copy";

const contents = new Map(["a", "b", "c"].map((step) => [step, WORDS]));

const weigh = (entries: readonly TrailerEntry[], trustUnsigned = false) => {
  const { evidence, proposals } = weighTrailers(entries, PLAN, bindingOf, { contents, trustUnsigned });
  return {
    best: [...evidence].map(([step, [best]]) => `${step} ${best?.commit} ${best?.claim ?? "unsigned"}`),
    proposals: proposals.map(({ stepAnchor, kind }) => `${stepAnchor} ${kind}`),
  };
};

describe("what a commit is worth", () => {
  it("as proof when it is signed, else as a proposal", () => {
    const [signed, unsigned] = [entry("a", [1]), entry("b")];
    expect(weigh([signed, unsigned])).toEqual({
      best: [`a ${signed.commit} 1`],
      proposals: ["b unsigned"],
    });
    expect(weigh([unsigned], true).best).toEqual([`b ${unsigned.commit} unsigned`]);
  });

  it("less than a signed one, however new it is and no matter who is trusted", () => {
    const [older, newer] = [entry("a", [1]), entry("a")];
    expect(weigh([newer, older], true)).toEqual({ best: [`a ${older.commit} 1`], proposals: [] });
  });

  it("more with a higher number, and among equals when it is newer", () => {
    const [copy, second, first] = [entry("a", [1]), entry("a", [2]), entry("a", [2])];
    expect(weigh([copy, second, first]).best).toEqual([`a ${second.commit} 2`]);
  });

  it.each<[string, Partial<TrailerEntry>]>([
    ["another step", { signatures: [signatureOf("b", 1)] }],
    ["another claim", { signatures: [signatureOf("a", 2)] }],
    ["another plan", { signatures: [signatureOf("a", 1, "other.md")] }],
  ])("nothing when it is signed for %s", (_, more) => {
    expect(weigh([entry("a", [1], more)])).toEqual({ best: [], proposals: ["a unsigned"] });
  });

  it("a proof for each step of a squash whose trailers stand side by side", () => {
    const squash = entry("a", [], {
      steps: ["a", "b", "c"],
      claims: [1, 4],
      signatures: [signatureOf("b", 4), signatureOf("a", 1)],
    });
    expect(weigh([squash])).toEqual({
      best: [`a ${squash.commit} 1`, `b ${squash.commit} 4`],
      proposals: ["c unsigned"],
    });
  });

  it("only proposed when its signature was made for other changes, until a person vouches for it", () => {
    const copied = entry("a", [1], { commit: COPY });
    expect(weigh([copied])).toEqual({ best: [], proposals: ["a other-work"] });
    expect(weigh([copied], true).best).toEqual([`a ${COPY} unsigned`]);
  });

  it("doubtful with several plans, unless a signature says which is meant", () => {
    const several = { plan: undefined, plans: [PLAN, "other.md"], ambiguous: "several-plans" } as const;
    expect(weigh([entry("a", [], several)]).proposals).toEqual(["a doubtful"]);
    expect(weigh([entry("a", [1], several)]).best).toHaveLength(1);
  });

  it("nothing to another plan, and a report once it was reverted", () => {
    expect(weigh([entry("a", [1], { plan: "other.md", plans: ["other.md"] })])).toEqual({
      best: [],
      proposals: [],
    });
    expect(weigh([entry("a", [1], { revertedBy: "r" })])).toEqual({ best: [], proposals: ["a reverted"] });
    const again = entry("a", [2]);
    expect(weigh([again, entry("a", [1], { revertedBy: "r" })])).toEqual({
      best: [`a ${again.commit} 2`],
      proposals: [],
    });
  });
});

describe("what a commit says of the step's words", () => {
  const contentsOf = (entries: readonly TrailerEntry[], trustUnsigned = false) =>
    [...weighTrailers(entries, PLAN, bindingOf, { contents, trustUnsigned }).evidence].map(([step, list]) =>
      [step, ...list.map(({ content, claim }) => `${content} ${claim ?? "unsigned"}`)].join(", "),
    );
  const others = (step: string, claim: number): Partial<TrailerEntry> => ({
    contents: ["other words"],
    signatures: [signatureOf(step, claim, PLAN, "other words")],
  });
  const old = (step: string, claim: number): Partial<TrailerEntry> => ({
    contents: [],
    signatures: [signatureOf(step, claim, PLAN, null)],
  });

  it("is the same, another thing, or not said at all", () => {
    expect(
      contentsOf([entry("a", [1]), entry("b", [1], others("b", 1)), entry("c", [1], old("c", 1))]),
    ).toEqual(["a, same 1", "b, other 1", "c, unknown 1"]);
  });

  it("counts for more than a high number", () => {
    const list = [entry("a", [9], others("a", 9)), entry("a", [5], old("a", 5)), entry("a", [1])];
    expect(contentsOf(list)).toEqual(["a, same 1, unknown 5, other 9"]);
  });

  it("is believed of a commit that a person trusts, and one that is signed for other words comes last", () => {
    const list = [entry("a", [9], others("a", 9)), entry("a"), entry("b", [], { contents: ["other words"] })];
    expect(contentsOf(list, true)).toEqual(["a, same unsigned, other 9", "b, other unsigned"]);
  });

  it("is reported where an unsigned commit was made for something else", () => {
    expect(weigh([entry("a", [], { contents: ["other words"] })]).proposals).toEqual(["a other-content"]);
  });

  it("is found among those of a squash", () => {
    const squash = entry("a", [1], {
      steps: ["a", "b"],
      contents: ["words of b", WORDS, "other words"],
      signatures: [signatureOf("a", 1, PLAN, "other words"), signatureOf("a", 1)],
    });
    expect(contentsOf([squash])).toEqual(["a, same 1"]);
  });
});

it("says of a step once what several commits say of it alike", () => {
  const reverted = { revertedBy: "r1" };
  expect(weigh([entry("a", [], reverted), entry("a", [], reverted), entry("a")]).proposals).toEqual([
    "a reverted",
    "a unsigned",
  ]);
});

it("tells of steps of a plan that is gone, each once, and of no other plan's", () => {
  const gone = { plan: "old.md", plans: ["old.md"] };
  const other = { plan: "other.md", plans: ["other.md"] };
  const entries = [
    entry("a", [], gone),
    entry("a", [], gone),
    entry("b", [], { ...gone, revertedBy: "r1" }),
    entry("c", [], other),
  ];
  const told = weighLostPlans(entries, (plan) => plan === "old.md");
  expect(told).toMatchObject([{ stepAnchor: "a", kind: "lost-plan", gitHash: entries[0]!.commit }]);
});
