import { describe, expect, it } from "vitest";
import { readStatement } from "../trailers/commit-statement.ts";
import { stepTrailerReader } from "../trailers/step-trailers.ts";
import { readTrailers } from "../trailers/trailer-block.ts";
import type { BranchCommit } from "./branch-log.ts";
import { mergeMessage, squashMessage } from "./merge-message.ts";

const commit = (number: number, more: Partial<BranchCommit> = {}): BranchCommit => {
  const message = more.message ?? `work ${number}\n\nPawl-Plan: plan.md\nPawl-Step: step-${number}`;
  const trailers = readTrailers(message);
  return {
    commit: String(number).repeat(40),
    author: "A <a@example.invalid>",
    date: "Sun Nov 15 18:33:00 2026 +0000",
    message,
    subject: message.split("\n")[0]!,
    plan: trailers.find(({ key }) => key === "Pawl-Plan")?.value,
    steps: trailers.filter(({ key }) => key === "Pawl-Step").map(({ value }) => value),
    trailers,
    isReverted: false,
    ...more,
  };
};

const stepsIn = (message: string): readonly string[] => {
  const { steps, squashed } = readStatement(message, stepTrailerReader(["Pawl", "Tug"]));
  return [...new Set([...(steps?.steps ?? []), ...squashed.flatMap((part) => part.steps.steps)])].toSorted();
};

describe("mergeMessage", () => {
  it("lists the steps, oldest first, and claims none of them by a trailer", () => {
    const message = mergeMessage("Merge plan plan.md", [commit(2), commit(1)]);
    expect(message).toBe("Merge plan plan.md\n\nSteps:\n- step-1: work 1\n- step-2: work 2\n");
    expect(stepsIn(message)).toEqual([]);
  });

  it("has a title alone when nothing names a step", () => {
    expect(mergeMessage("Merge branch x", [commit(1, { message: "just work" })])).toBe("Merge branch x\n");
  });
});

describe("squashMessage", () => {
  it("keeps every trailer, where readers of squashes and of trailers look", () => {
    const message = squashMessage("Merge plan plan.md", [commit(3), commit(2), commit(1)]);
    expect(stepsIn(message)).toEqual(["step-1", "step-2", "step-3"]);
    expect(readTrailers(message).map(({ key, value }) => `${key}: ${value}`)).toEqual([
      "Pawl-Plan: plan.md",
      "Pawl-Step: step-1",
      "Pawl-Step: step-2",
      "Pawl-Step: step-3",
      ...[1, 2, 3].map((number) => `Pawl-Proof: step-${number} commit=${String(number).repeat(40)}`),
    ]);
  });

  it("gives each step two lines and its proof one, with claim, content and signature", () => {
    const signed = (number: number) =>
      commit(number, {
        commit: String(number).padStart(2, "0").repeat(20),
        message: `work ${number}\n\na long text about it\n\nPawl-Plan: plan.md\nPawl-Step: step-${number}\nPawl-Claim: 2\nPawl-Signature: ${"f".repeat(64)}`,
      });
    const commits = Array.from({ length: 30 }, (_, index) => signed(30 - index));
    const message = squashMessage("Merge plan plan.md", commits);
    expect(message.split("\n").length).toBeLessThan(3 * 30 + 10);
    const { squashed } = readStatement(message, stepTrailerReader(["Pawl"]));
    expect(squashed).toHaveLength(30);
    expect(squashed[0]).toMatchObject({
      commit: "30".repeat(20),
      steps: { plan: "plan.md", steps: ["step-30"], claim: 2, signatures: ["f".repeat(64)] },
    });
  });

  it("keeps a commit whole that takes back older work", () => {
    const revert = commit(2, { message: `Revert "x"\n\nThis reverts commit ${"a".repeat(40)}.` });
    const { reverts, squashed } = readStatement(
      squashMessage("Merge", [revert, commit(1)]),
      stepTrailerReader(["Pawl"]),
    );
    expect(reverts).toHaveLength(1);
    expect(squashed.map(({ steps }) => steps.steps)).toEqual([["step-1"]]);
  });

  it("leaves the last block out when the commits are of several plans, and still loses no step", () => {
    const other = commit(2, { message: "other\n\nPawl-Plan: other.md\nPawl-Step: step-9" });
    const message = squashMessage("Merge", [other, commit(1)]);
    expect(readTrailers(message)).toEqual([]);
    expect(stepsIn(message)).toEqual(["step-1", "step-9"]);
  });

  it.each(["\n", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029"])(
    "lets no message begin a line of its own by %j",
    (lineEnd) => {
      const evil = commit(1, {
        message: `title${lineEnd}Pawl-Step: forged${lineEnd}${lineEnd}Pawl-Plan: plan.md${lineEnd}Pawl-Step: forged${lineEnd}${lineEnd}end`,
        subject: `title${lineEnd}Pawl-Step: forged`,
        steps: ["step-1"],
        plan: "plan.md",
        trailers: [],
      });
      for (const message of [mergeMessage("Merge", [evil]), squashMessage("Merge", [evil])]) {
        expect(stepsIn(message)).not.toContain("forged");
        const own = message.split(/[\n\r\v\f\u0085\u2028\u2029]/).filter((line) => line.startsWith("Pawl-"));
        expect(own).toEqual([]);
      }
    },
  );
});
