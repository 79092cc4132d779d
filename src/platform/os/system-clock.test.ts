import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

vi.mock("node:fs", () => ({ readFileSync: vi.fn<() => string>() }));

// Other files of this process have a clock of their own, with the real files.
beforeEach(() => void vi.resetModules());
afterEach(() => {
  vi.restoreAllMocks();
  vi.resetModules();
});

test("uptime counts on between two looks, and is read anew when the machine slept", async () => {
  const { systemClock } = await import("./system-clock.ts");
  let runningMs = 50;
  let wallMs = 1_000_000;
  vi.spyOn(process, "hrtime").mockImplementation(() => [0, runningMs * 1e6]);
  vi.spyOn(Date, "now").mockImplementation(() => wallMs);
  const look = vi.mocked(readFileSync);
  look.mockReturnValue("1000.50 1.00\n");
  expect(systemClock.uptimeMs()).toBe(1_000_500);
  const begun = look.mock.calls.length;
  expect(systemClock.uptimeMs()).toBe(1_000_500);

  runningMs += 20;
  wallMs += 20;
  expect(systemClock.uptimeMs()).toBe(1_000_520);
  expect(look.mock.calls.length - begun).toBe(1);

  wallMs += 3_600_000;
  look.mockReturnValue("4600.52 1.00\n");
  expect(systemClock.uptimeMs()).toBe(4_600_520);
  expect(look.mock.calls.length - begun).toBe(2);
});
