import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../platform/os/index.ts";
import { missingPackages } from "./missing-packages.ts";

let top: string;
let worktree: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "pawl-packages-"));
  worktree = join(top, ".pawl/worktrees/plan-w1");
  mkdirSync(worktree, { recursive: true });
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const missing = (settings = {}) => missingPackages({ files: nodeFiles, settings }, worktree);
const hasPackage = (text: string) => writeFileSync(join(worktree, "package.json"), text);

describe("dependencies of a package", () => {
  it("that no folder above the worktree has are named with the settings that bring them", () => {
    hasPackage('{ "devDependencies": { "vitest": "4" } }');
    expect(missing()).toContain("worktree_setup");
    expect(missing({ worktree_setup: ["npm", "ci"] })).toBeUndefined();
    mkdirSync(join(top, "node_modules"));
    expect(missing()).toBeUndefined();
  });

  it.each(['{ "dependencies": {} }', '{ "private": true }', "no JSON", "null"])(
    "are not missed where %s names none",
    (text) => {
      hasPackage(text);
      expect(missing()).toBeUndefined();
    },
  );

  it("are not missed where there is no package", () => {
    expect(missing()).toBeUndefined();
  });
});
