import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { closest } from "./closest.ts";

const OPTIONS = ["worktree", "lease-duration", "step", "force", "json"];

describe("closest", () => {
  it.each([
    ["wortree", "worktree"],
    ["wroktree", "worktree"],
    ["worktrees", "worktree"],
    ["WORKTREE", "worktree"],
    ["lease_duration", "lease-duration"],
    ["stpe", "step"],
    ["jso", "json"],
  ])("finds what was meant by %s", (typed, meant) => {
    expect(closest(typed, OPTIONS)).toBe(meant);
  });

  it("counts a swap of neighbours as one error", () => {
    expect(closest("ab", ["ba"])).toBe("ba");
  });

  it("takes the only candidate that starts with the word", () => {
    expect(closest("lease", OPTIONS)).toBe("lease-duration");
  });

  it("takes none when two candidates start with the word", () => {
    expect(closest("all", ["all-tasks-of-it", "all-tests-of-it"])).toBeUndefined();
  });

  it("takes the nearest of two near ones", () => {
    expect(closest("shows", ["snow", "show"])).toBe("show");
  });

  it("prefers a candidate that begins like the word, then the first", () => {
    expect(closest("stat", ["start", "state", "stats"])).toBe("state");
    expect(closest("statu", ["state", "status"])).toBe("status");
    expect(closest("bold", ["hold", "cold"])).toBe("hold");
  });

  it("prefers a candidate of which letters were left out to one with another letter", () => {
    expect(closest("stats", ["state", "status"])).toBe("status");
    expect(closest("stats", ["status", "state"])).toBe("status");
  });

  it("stays silent when nothing is near", () => {
    expect(closest("frobnicate", OPTIONS)).toBeUndefined();
    expect(closest("x", OPTIONS)).toBeUndefined();
    expect(closest("", OPTIONS)).toBeUndefined();
    expect(closest("step", [])).toBeUndefined();
  });

  it("spends no time on a hostile word", () => {
    // Anything worse than linear would not end within the time that a test has.
    expect(closest("x".repeat(5_000_000), OPTIONS)).toBeUndefined();
    expect(
      closest(
        "y".repeat(64),
        Array.from({ length: 200 }, () => "z".repeat(1_000_000)),
      ),
    ).toBeUndefined();
  });

  it("always finds a candidate that is there", () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{1,20}$/), { minLength: 1 }),
        fc.nat(),
        (words, index) => {
          const word = words[index % words.length] ?? "";
          expect(closest(word, words)).toBe(word);
        },
      ),
    );
  });

  it("forgives one error anywhere in a word of four letters or more", () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z]{4,20}$/),
        fc.nat(),
        fc.constantFrom("", "q", "qq"),
        (word, at, letter) => {
          const index = at % word.length;
          const typed =
            word.slice(0, index) + (letter === "qq" ? `q${word[index]}` : letter) + word.slice(index + 1);
          expect(closest(typed, [word])).toBe(word);
        },
      ),
    );
  });
});
