import { describe, expect, it } from "vitest";
import { claim, commit, init, update } from "../../test/fixtures/sample-commands.ts";
import { isVariadic, optionAbout, optionSyntax, sentence, shownOptions, usageLine } from "./usage.ts";

describe("usage", () => {
  it("shows operands as required, optional or repeated", () => {
    expect(usageLine(claim)).toBe("pawl state claim <plan> [options]");
    expect(usageLine(commit)).toBe("pawl commit [paths…] [options]");
    expect(usageLine(init)).toBe("pawl init");
    expect(commit.operands.map(isVariadic)).toEqual([true]);
  });

  it("writes options with their values", () => {
    expect(optionSyntax("force", { type: "flag", about: "" })).toBe("--force");
    expect(optionSyntax("step", { type: "text", about: "", value: "ANCHOR" })).toBe("--step ANCHOR");
    expect(optionSyntax("a", { type: "text", about: "" })).toBe("--a TEXT");
    expect(optionSyntax("b", { type: "number", about: "" })).toBe("--b N");
    expect(optionSyntax("c", { type: "pair", about: "" })).toBe("--c N VALUE");
  });

  it("names choices and repetition", () => {
    const about = Object.fromEntries(
      shownOptions(update).map(([name, option]) => [name, optionAbout(option)]),
    );
    expect(about["all"]).toBe("Sets every item (one of open, completed)");
    expect(about["tag"]).toBe("Marks the change (may be repeated)");
    expect(about["task"]).toBe(
      "Sets one task (one of open, in_progress, completed, deferred; may be repeated)",
    );
    expect(about["note"]).toBe("Says something about a task");
  });

  it("hides hidden options", () => {
    expect(shownOptions(claim).map(([name]) => name)).toEqual([
      "worktree",
      "lease-duration",
      "step",
      "force",
    ]);
  });

  it("makes a sentence of an about, once", () => {
    expect(sentence("does it")).toBe("Does it.");
    expect(sentence("Does it.")).toBe("Does it.");
    expect(sentence("")).toBe(".");
  });
});
