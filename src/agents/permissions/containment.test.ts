import { describe, expect, it } from "vitest";
import type { SandboxTools } from "../../platform/ports/index.ts";
import { AGENTS } from "../presets/index.ts";
import { containmentOf } from "./containment.ts";

const ALL: SandboxTools = {
  system: "linux",
  bubblewrap: "/usr/bin/bwrap",
  bubblewrapProblem: undefined,
  hasSocat: true,
};
const NONE: SandboxTools = {
  ...ALL,
  bubblewrap: undefined,
  bubblewrapProblem: "bubblewrap is not installed",
};

describe("what contains an agent", () => {
  it("is its own sandbox, or bubblewrap around it", () => {
    expect(containmentOf(AGENTS.claude, "sandboxed", ALL)).toMatchObject({ profile: "sandboxed", by: "own" });
    expect(containmentOf(AGENTS.codex, "sandboxed", NONE)).toMatchObject({ profile: "sandboxed", by: "own" });
    for (const name of ["gemini", "opencode", "command", "aider"] as const)
      expect(containmentOf(AGENTS[name], "edits", ALL)).toMatchObject({ profile: "edits", by: "pawl" });
  });

  it("is nothing where the machine lacks it; then the agent gets less, and why is said", () => {
    expect(containmentOf(AGENTS.claude, "sandboxed", { ...ALL, hasSocat: false })).toEqual({
      profile: "edits",
      by: undefined,
      missing: "socat is not installed",
      install: "bubblewrap and socat",
    });
    expect(containmentOf(AGENTS.opencode, "sandboxed", NONE)).toMatchObject({
      profile: "edits",
      missing: "bubblewrap is not installed",
      install: "bubblewrap",
    });
    const mac = { ...NONE, system: "macos" } as const;
    expect(containmentOf(AGENTS.claude, "sandboxed", mac)).toMatchObject({ by: "own", missing: undefined });
    expect(containmentOf(AGENTS.gemini, "sandboxed", mac)).toMatchObject({
      by: undefined,
      install: undefined,
    });
  });

  it("is not wanted with full permissions", () => {
    for (const preset of Object.values(AGENTS))
      expect(containmentOf(preset, "full", NONE)).toMatchObject({ profile: "full", missing: undefined });
  });
});
