import { describe, expect, it } from "vitest";
import type { ProposedSettings } from "../views/index.ts";
import { commandArgv, askForSettings, detectedSettings } from "./choose-settings.ts";

const proposed: ProposedSettings = {
  settingsFile: "/repo/pawl.toml",
  exists: false,
  agent: undefined,
  agents: ["claude", "codex"],
  known: ["claude", "codex", "gemini"],
  check: { argv: ["npm", "test"], from: "package.json" },
  setup: null,
};

/** A person who types these lines, and all that was asked. */
const typing = (...lines: readonly (string | undefined)[]) => {
  const asked: string[] = [];
  const left = [...lines];
  return {
    asked,
    askLine: async (question: string) => {
      asked.push(question);
      return left.shift();
    },
  };
};

describe("the settings of a new pawl.toml", () => {
  it("are what was found where the person only presses Enter", async () => {
    const { asked, askLine } = typing("", "", "");
    expect(await askForSettings(askLine, proposed)).toEqual(detectedSettings(proposed));
    expect(asked).toEqual([
      expect.stringContaining("Agent (installed: claude, codex) [claude]: "),
      "Check that every step must pass (from package.json) [npm test]: ",
      "Setup of a new worktree [none]: ",
    ]);
  });

  it("are what the person types", async () => {
    const { askLine } = typing(" codex ", "make check", "npm ci && npm run build");
    expect(await askForSettings(askLine, proposed)).toEqual({
      agent: "codex",
      check: ["make", "check"],
      worktreeSetup: ["sh", "-c", "npm ci && npm run build"],
    });
  });

  it("leave out what the person answers with none", async () => {
    const { askLine } = typing("none", "none", "none");
    expect(await askForSettings(askLine, proposed)).toEqual({});
  });

  it("ask again for an agent that Pawl does not know, and suggest one", async () => {
    const { asked, askLine } = typing("cluade", "gemini", "", "");
    expect(await askForSettings(askLine, proposed)).toMatchObject({ agent: "gemini" });
    expect(asked[1]).toContain("did you mean claude?");
  });

  it("are written nowhere when the person leaves", async () => {
    await expect(askForSettings(typing("", undefined).askLine, proposed)).rejects.toMatchObject({
      problem: "init/left",
    });
  });
});

describe("a command line", () => {
  it.each([
    ["npm test", ["npm", "test"]],
    ["make  -j4   check", ["make", "-j4", "check"]],
    ["CI=1 npm test", ["sh", "-c", "CI=1 npm test"]],
    ['pytest -k "not slow"', ["sh", "-c", 'pytest -k "not slow"']],
    ["a | b", ["sh", "-c", "a | b"]],
  ])("%s is started as it was meant", (line, argv) => expect(commandArgv(line)).toEqual(argv));
});
