import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readSettings } from "./read-settings.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-settings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (text: string) => {
  const file = join(folder, "pawl.toml");
  writeFileSync(file, text);
  return readSettings(file);
};

describe("readSettings", () => {
  it("reads text and lists of text", async () => {
    expect(await read('base_branch = "main"\nworktree_setup = ["npm", "ci", ""]\n')).toEqual({
      base_branch: "main",
      worktree_setup: ["npm", "ci", ""],
    });
  });

  it.each([
    ['worktree_setup = "npm ci"', "worktree_setup must be a list of text"],
    ["worktree_setup = []", "worktree_setup must be a list of text"],
    ['worktree_setup = [""]', "worktree_setup must be a list of text"],
    ["worktree_setup = [1]", "worktree_setup must be a list of text"],
    ['base_branch = ["main"]', "base_branch must be text"],
    ['base_branch = ""', "base_branch must be text"],
    ["base_branch = 1", "base_branch must be text"],
  ])("refuses %s", async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  it("suggests the setting that was meant", async () => {
    await expect(read('worktree_setpu = ["x"]')).rejects.toThrow('Did you mean "worktree_setup"?');
    await expect(read("unheard_of = 1")).rejects.toThrow(/"unheard_of"\.$/);
  });
});
