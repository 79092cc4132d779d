import { describe, expect, it } from "vitest";
import { PROMPT_FILE } from "../platform/ports/supervisor.ts";
import { argvOf } from "./argv-of.ts";
import { AGENTS } from "./presets/index.ts";
import type { PresetName } from "./agent-preset.ts";

const choice = (name: PresetName, args: readonly string[] = []) => ({
  preset: AGENTS[name],
  program: [AGENTS[name].program ?? "./agent.sh"],
  args,
});
const HOSTILE = "$(touch x); `y` 'z' \"{model}\"\n--help";

describe("a command line", () => {
  it("gives claude the id that Pawl chose, and resumes by it", () => {
    const { argv } = argvOf(choice("claude"), { session: "u-1" }, "start");
    expect(argv.slice(argv.indexOf("--session-id"))).toEqual(["--session-id", "u-1"]);
    const resumed = argvOf(choice("claude"), { session: "u-1" }, "resume").argv;
    expect(resumed).not.toContain("--session-id");
    expect(resumed.slice(resumed.indexOf("--resume"))).toEqual(["--resume", "u-1"]);
  });

  it("starts codex anew when there is nothing to resume, else by its thread", () => {
    expect(argvOf(choice("codex"), {}, "resume").argv).toEqual([
      "codex",
      "exec",
      "--json",
      "--skip-git-repo-check",
      "-c",
      "allow_login_shell=false",
      "-",
    ]);
    const { argv } = argvOf(choice("codex", ["-c", "a=b"]), { session: "t-1", model: "m" }, "resume");
    expect(argv.slice(-7)).toEqual(["--model", "m", "-c", "a=b", "resume", "t-1", "-"]);
  });

  it("keeps a blank whole, whatever stands in it", () => {
    for (const name of Object.keys(AGENTS) as PresetName[]) {
      const blanks = {
        session: HOSTILE,
        model: HOSTILE,
        worktree: HOSTILE,
        max_turns: "3",
      };
      const { argv } = argvOf(choice(name), blanks, "start");
      for (const word of argv) if (word.includes("touch")) expect(word).toBe(HOSTILE);
      expect(argv.filter((word) => /^\{\w+\}$/.test(word) && word !== PROMPT_FILE)).toEqual([]);
    }
  });

  it("leaves out what the user says otherwise, because some programs refuse an option given twice", () => {
    const { argv } = argvOf(
      choice("codex", ["--sandbox", "read-only", "--model=x"]),
      { model: "y" },
      "start",
      [["--sandbox", "workspace-write"]],
    );
    expect(argv.filter((word) => word === "--sandbox")).toHaveLength(1);
    expect(argv).not.toContain("workspace-write");
    expect(argv).not.toContain("y");
  });

  it("keeps an option that takes a list beside the user's own", () => {
    const { argv } = argvOf(choice("codex", ["--add-dir", "/theirs"]), {}, "start", [
      { list: ["--add-dir", "/ours"] },
    ]);
    expect(argv.join(" ")).toMatch(/--add-dir \/ours .*--add-dir \/theirs -$/);
  });

  it("leaves a group out when its blank is not known", () => {
    expect(argvOf(choice("claude"), {}, "start").argv).not.toContain("--session-id");
    expect(argvOf(choice("opencode"), {}, "start").argv).not.toContain("--dir");
  });

  it("of a command is the user's own", () => {
    const own = { preset: AGENTS.command, program: ["./a b.sh", "{session}"], args: ["--x"] };
    expect(argvOf(own, { session: "s" }, "start")).toEqual({
      argv: ["./a b.sh", "{session}", "--x"],
      promptBy: "stdin",
    });
  });
});
