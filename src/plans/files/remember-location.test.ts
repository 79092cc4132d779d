import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { PlanLocation } from "../../platform/ports/plan-files.ts";
import { rememberLocation } from "./remember-location.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-remember-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Everything lies in one place, wherever a name leads. */
const setUp = (path: string) => {
  const locate = vi.fn<(operand: string) => PlanLocation>((operand) => ({
    key: operand,
    path: join(folder, path),
  }));
  return { locate, remembered: rememberLocation(folder, locate) };
};

it("locates a file once while it is the same", () => {
  writeFileSync(join(folder, "plan.md"), "one");
  const { locate, remembered } = setUp("plan.md");
  const first = remembered("plan.md");
  expect(first).toMatchObject({ key: "plan.md", path: join(folder, "plan.md") });
  expect(remembered("plan.md")).toBe(first);
  expect(locate).toHaveBeenCalledTimes(1);
});

it("notices another file in its place, one that is gone, and another name", () => {
  writeFileSync(join(folder, "plan.md"), "one");
  const { locate, remembered } = setUp("plan.md");
  remembered("plan.md");
  writeFileSync(join(folder, "new.md"), "two!");
  renameSync(join(folder, "new.md"), join(folder, "plan.md"));
  remembered("plan.md");
  expect(locate).toHaveBeenCalledTimes(2);
  remembered("./plan.md");
  expect(locate).toHaveBeenCalledTimes(3);
  rmSync(join(folder, "plan.md"));
  expect(remembered("./plan.md")).not.toHaveProperty("look");
  expect(locate).toHaveBeenCalledTimes(4);
});

it("notices a link that leads elsewhere", () => {
  for (const name of ["a", "b"]) writeFileSync(join(folder, `${name}.md`), name);
  symlinkSync("a.md", join(folder, "plan.md"));
  const { locate, remembered } = setUp("a.md");
  remembered("plan.md");
  remembered("plan.md");
  expect(locate).toHaveBeenCalledTimes(1);
  rmSync(join(folder, "plan.md"));
  symlinkSync("b.md", join(folder, "plan.md"));
  remembered("plan.md");
  expect(locate).toHaveBeenCalledTimes(2);
});

it("locates a folder, and what lies elsewhere than here, each time", () => {
  mkdirSync(join(folder, "spec.md"));
  mkdirSync(join(folder, "root"));
  writeFileSync(join(folder, "root", "plan.md"), "one");
  for (const [operand, path] of [
    ["spec.md", "spec.md"],
    ["plan.md", "root/plan.md"],
  ] as const) {
    const { locate, remembered } = setUp(path);
    remembered(operand);
    remembered(operand);
    expect(locate, operand).toHaveBeenCalledTimes(2);
  }
});

it("leaves a circular link to the caller that locates it", () => {
  writeFileSync(join(folder, "plan.md"), "one");
  const { locate, remembered } = setUp("plan.md");
  remembered("plan.md");
  rmSync(join(folder, "plan.md"));
  symlinkSync("plan.md", join(folder, "plan.md"));
  expect(remembered("plan.md")).not.toHaveProperty("look");
  expect(locate).toHaveBeenCalledTimes(2);
});
