import { describe, expect, it } from "vitest";
import type { Grant, PresetName } from "./agent-preset.ts";
import { composeStart, mergeJson } from "./compose-start.ts";
import { AGENTS } from "./presets/index.ts";
import type { PermissionProfile } from "../domain/index.ts";

const GRANT: Grant = {
  commands: ["npm test", "cargo *"],
  writable: ["/repo/.git/pawl", "/extra"],
  kept: ["/repo/.git/pawl/logs"],
  isRoot: false,
  ticks: false,
};

const start = (
  name: PresetName,
  profile: PermissionProfile,
  { args = [], grant = {}, files = {} }: Given = {},
) =>
  composeStart({
    choice: { preset: AGENTS[name], program: [AGENTS[name].program ?? "agent"], args },
    blanks: {},
    mode: "start",
    profile,
    grant: { ...GRANT, ...grant },
    pathOf: (file) => `/logs/0001.${file}`,
    read: (path) => files[path],
  });

interface Given {
  readonly args?: readonly string[];
  readonly grant?: Partial<Grant>;
  readonly files?: Readonly<Record<string, string>>;
}

const after = (argv: readonly string[], option: string): string => argv[argv.lastIndexOf(option) + 1]!;
const settingsOf = (argv: readonly string[]) => JSON.parse(after(argv, "--settings")) as object;

describe("claude", () => {
  it("may edit and run its check and what is allowed, with further arguments", () => {
    const { argv } = start("claude", "edits");
    expect(after(argv, "--permission-mode")).toBe("acceptEdits");
    expect(argv.slice(argv.indexOf("--allowedTools") + 1)).toEqual([
      "Bash(pawl:*)",
      "Bash(npm test)",
      "Bash(npm test *)",
      "Bash(cargo *)",
    ]);
    expect(argv).not.toContain("--settings");
  });

  it("gets a sandbox that lets it write the state and keeps the logs from it", () => {
    expect(settingsOf(start("claude", "sandboxed").argv)).toEqual({
      sandbox: {
        enabled: true,
        autoAllowBashIfSandboxed: true,
        filesystem: {
          allowWrite: ["/repo/.git/pawl", "/extra"],
          denyWrite: ["/repo/.git/pawl/logs"],
        },
      },
    });
  });

  it("is asked for nothing with full permissions, also as root", () => {
    expect(after(start("claude", "full").argv, "--permission-mode")).toBe("bypassPermissions");
    const { argv } = start("claude", "full", { grant: { isRoot: true } });
    expect(argv).not.toContain("bypassPermissions");
    expect(argv).toContain("Bash");
  });

  it("keeps Pawl's list and settings beside the user's", () => {
    const own = { sandbox: { filesystem: { allowWrite: ["/theirs"] } }, env: { A: "1" } };
    const args = ["--allowedTools", "Bash(make:*)", "--settings", "mine.json"];
    const { argv } = start("claude", "sandboxed", { args, files: { "mine.json": JSON.stringify(own) } });
    expect(argv.filter((word) => word === "--settings")).toHaveLength(1);
    expect(settingsOf(argv)).toMatchObject({
      env: { A: "1" },
      sandbox: { enabled: true, filesystem: { allowWrite: ["/repo/.git/pawl", "/extra", "/theirs"] } },
    });
    expect(argv).toContain("Bash(pawl:*)");
    expect(argv).toContain("Bash(make:*)");
  });

  it.each(["missing.json", "{broken", '["a list"]'])("refuses settings that are none: %s", (value) => {
    expect(() => start("claude", "edits", { args: [`--settings=${value}`] })).toThrow(
      /neither JSON nor a file/,
    );
  });
});

describe("codex", () => {
  it("has its own sandbox, with every folder that it may write", () => {
    const { argv } = start("codex", "sandboxed", { args: ["--add-dir", "/theirs"] });
    expect(after(argv, "--sandbox")).toBe("workspace-write");
    const folders = argv.filter((_, index) => argv[index - 1] === "--add-dir");
    expect(folders).toEqual(["/repo/.git/pawl", "/extra", "/theirs"]);
    expect(after(start("codex", "full").argv, "--sandbox")).toBe("danger-full-access");
  });
});

describe("merging settings", () => {
  it("joins lists, merges tables, and lets the second have the last word", () => {
    expect(mergeJson({ a: [1], b: { c: 1, d: 1 }, e: 1 }, { a: [2], b: { d: 2 }, e: { f: 1 } })).toEqual({
      a: [1, 2],
      b: { c: 1, d: 2 },
      e: { f: 1 },
    });
  });
});
