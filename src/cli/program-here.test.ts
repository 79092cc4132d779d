import { describe, expect, it } from "vitest";
import type { Files } from "../platform/ports/files.ts";
import { programHere } from "./program-here.ts";

const context = {
  cwd: "/shop/tools",
  files: { exists: (path) => ["/shop/tools/agent", "/shop/agent", "/bin/sh"].includes(path) } as Files,
};

describe("a program after --", () => {
  it.each([
    [
      ["./agent", "./notes"],
      ["/shop/tools/agent", "./notes"],
    ],
    [["../agent"], ["/shop/agent"]],
    [["agent"], ["agent"]],
    [["/bin/sh"], ["/bin/sh"]],
    [["bin/only-in-the-worktree"], ["bin/only-in-the-worktree"]],
  ])("%j is run as %j", (typed, run) => {
    expect(programHere(typed, context)).toEqual(run);
  });

  it("may be left out", () => expect(programHere([], context)).toBeUndefined());
});
