import { expect, it } from "vitest";
import { portBase } from "./port-base.ts";

it("gives each worker of a run ports of its own, the same each time", () => {
  const bases = Array.from({ length: 16 }, (_, index) => portBase("/repo plan.md", index + 1));
  expect(new Set(bases).size).toBe(16);
  for (const base of bases) expect(base % 100).toBe(0);
  expect(portBase("/repo plan.md", 3)).toBe(bases[2]);
});

it("stays below the ports that systems hand out, however many workers there are", () => {
  for (const subject of ["a", "b", "c", "/repo plan.md"])
    for (let worker = 1; worker <= 400; worker += 1) {
      const base = portBase(subject, worker);
      expect(base).toBeGreaterThanOrEqual(10_000);
      expect(base + 99).toBeLessThan(32_768);
    }
});
