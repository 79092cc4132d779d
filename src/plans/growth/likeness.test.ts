import { describe, expect, it } from "vitest";
import { mostAlike } from "./likeness.ts";

const pairs = (olds: readonly string[], news: readonly string[]) =>
  mostAlike(
    olds.map((title, at) => ({ title, at })),
    news,
    { of: ({ title }) => [title], among: (title) => title },
  ).map(([{ at }, one]) => [at, one]);

describe("titles that are most alike", () => {
  it("pairs a title with the same one after an edit", () => {
    expect(pairs(["Clean the hall by hand", "Paint walls"], ["Clean the hall slowly by hand"])).toEqual([
      [0, "Clean the hall slowly by hand"],
    ]);
  });

  it("pairs the first of several that are equally alike: a missed pair may do finished work again", () => {
    const olds = ["Paint walls", "Clean the hall by hand", "Clean the hall by hand"];
    expect(pairs(olds, ["Clean the hall slowly by hand"])).toEqual([[1, "Clean the hall slowly by hand"]]);
  });

  it("leaves one that became several to them: they are other work", () => {
    expect(pairs(["Clean the hall by hand"], ["Clean the hall by hand", "Clean the hall by hand"])).toEqual(
      [],
    );
  });

  it("leaves out titles that share too few words", () => {
    expect(pairs(["Clean the hall by hand"], ["Clean the roof"])).toEqual([]);
  });
});
