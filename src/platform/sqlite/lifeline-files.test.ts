import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { lifelineFiles } from "./lifeline-files.ts";

it("lets go once, however often it is asked to, and never of a lifeline that was taken again", () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-lifelines-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const lifelines = lifelineFiles(folder);
  const first = lifelines.hold("s-1");
  first.letGo();
  first.letGo();
  expect(lifelines.look("s-1")).toBe("free");
  const second = lifelines.hold("s-1");
  first.letGo();
  expect(lifelines.look("s-1")).toBe("held");
  second.letGo();
});

it("says that it knows nothing where a lifeline cannot be opened, and why one cannot be held", () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-lifelines-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "s-1.lifeline"));
  const lifelines = lifelineFiles(folder);
  expect(lifelines.look("s-1")).toBe("unknown");
  expect(() => lifelines.hold("s-1")).toThrow(expect.objectContaining({ problem: "store/open-failed" }));
});
