import { expect, it } from "vitest";
import { findReverted, type Revertible } from "./find-reverted.ts";

/** `c` is a commit, `r>c` the commit r that takes c back; newest first. */
const history = (...lines: string[]): Revertible[] =>
  lines.map((line) => {
    const [id = "", targets] = line.split(">");
    return { id, subject: `title ${id}`, reverts: (targets?.split("+") ?? []).map((target) => by([target])) };
  });

const by = (ids: string[], subject?: string) => ({ ids, subject });

it.each([
  { name: "a revert takes its commit back", lines: ["r>c", "c"], reverted: { c: "r" } },
  { name: "the revert of a revert lets it stand", lines: ["s>r", "r>c", "c"], reverted: { r: "s" } },
  { name: "and so on", lines: ["t>s", "s>r", "r>c", "c"], reverted: { s: "t", c: "r" } },
  { name: "one revert of many", lines: ["r>a+c", "c", "b", "a"], reverted: { a: "r", c: "r" } },
  { name: "a commit that comes again stands", lines: ["c2", "r>c1", "c1"], reverted: { c1: "r" } },
  { name: "twice reverted, once restored", lines: ["q>c", "s>r", "r>c", "c"], reverted: { r: "s", c: "q" } },
  { name: "an unknown commit", lines: ["r>x", "c"], reverted: {} },
  { name: "nothing takes back what is newer, nor itself", lines: ["c", "r>c+r"], reverted: {} },
])("$name", ({ lines, reverted }) => {
  expect(Object.fromEntries(findReverted(history(...lines)))).toEqual(reverted);
});

it("finds a rewritten commit by its title, the newest older one that stands", () => {
  const wip = (id: string): Revertible => ({ id, subject: "wip", reverts: [] });
  const revert = (id: string): Revertible => ({
    id,
    subject: 'Revert "wip"',
    reverts: [by(["gone"], "wip")],
  });
  const reverted = (...commits: Revertible[]) => Object.fromEntries(findReverted(commits));
  expect(reverted(wip("c"), revert("r"), wip("b"), wip("a"))).toEqual({ b: "r" });
  expect(reverted(revert("s"), revert("r"), wip("b"), wip("a"))).toEqual({ b: "s", a: "r" });
  expect(reverted(...history("r>b"), wip("c"), revert("s"), wip("b"), wip("a"))).toEqual({ b: "r", a: "s" });
});

it("stays fast when everything has one title", () => {
  const count = 100_000;
  const commits = Array.from({ length: count }, (_, index) => ({
    id: String(index),
    subject: "wip",
    reverts: [by(["gone"], "wip")],
  }));
  // Anything worse than linear would not end within the time that a test has.
  expect(findReverted(commits)).toBeDefined();
});
