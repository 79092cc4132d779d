import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Acts, GOOD, runShop, THREE } from "../support/run-shop.ts";

/** Work that an agent puts where a commit does not hold it. */

const IDENTITY = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
const LOCAL = ["-c", "protocol.file.allow=always"];

async function after(acts: Acts, prepare: (shop: ReturnType<typeof runShop>) => void = () => undefined) {
  const shop = runShop([THREE[0]!]);
  prepare(shop);
  shop.script({ runs: [[...acts, ...GOOD]] });
  const { code, stdout, stderr } = await shop.run("--json");
  const { data } = JSON.parse(stdout.trim().split("\n").at(-1)!) as {
    data: { warnings: readonly string[]; ended: string };
  };
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(shop.steps()).toEqual(["step-1 completed"]);
  return { shop, warnings: data.warnings };
}

describe("a step whose agent", () => {
  it("stashed its work says so, and with which command it comes back", async () => {
    const { shop, warnings } = await after([
      { write: "half.txt", text: "half" },
      { git: [...IDENTITY, "stash", "-u"] },
    ]);
    const found = /^step-1: stashed: .* git stash apply ([0-9a-f]{40})$/.exec(warnings.join("\n"));
    expect(found, warnings.join("\n")).not.toBeNull();
    shop.repo.git("stash", "apply", "-q", found![1]!);
    expect(shop.repo.git("status", "--porcelain")).toContain("half.txt");
  });

  it("stashed nothing says nothing about what is in the stash of others", async () => {
    const { warnings } = await after([], (shop) => {
      shop.repo.write("mine.txt", "mine");
      shop.repo.git("stash", "-q", "-u");
    });
    expect(warnings).toEqual([]);
  });

  it("made a repository inside names it, and its files stay where they are", async () => {
    const { shop, warnings } = await after([
      { write: "inner/file.txt", text: "inside" },
      { git: ["init", "-q"], in: "inner" },
      { git: ["add", "-A"], in: "inner" },
      { git: [...IDENTITY, "commit", "-q", "-m", "inside"], in: "inner" },
    ]);
    expect(warnings).toEqual([expect.stringMatching(/^step-1: nested_repository: .*: inner$/)]);
    expect(shop.repo.git("-C", join(shop.worktree(), "inner"), "show", "HEAD:file.txt")).toBe("inside");
  });

  it("made one without a commit is not committed without its files: the run says where, and goes on when that is mended", async () => {
    const shop = runShop([THREE[0]!]);
    const inner = [
      { write: "inner/file.txt", text: "inside" },
      { git: ["init", "-q"], in: "inner" },
    ];
    shop.script({ runs: [[...inner, ...GOOD]] });
    const { code, stderr } = await shop.run();
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("error[E365] inner/ is") });
    rmSync(join(shop.worktree(), "inner/.git"), { recursive: true });
    shop.script({ runs: [GOOD] });
    expect(shop.pawl("resume").code).toBe(0);
    expect(shop.steps()).toEqual(["step-1 completed"]);
    expect(shop.repo.git("show", "pawl/plan:inner/file.txt")).toBe("inside");
  });

  it("moved a submodule names it", async () => {
    const { shop, warnings } = await after(
      [
        { git: [...LOCAL, "submodule", "update", "-q", "--init"] },
        { write: "sub/more.txt", text: "more" },
        { git: ["add", "-A"], in: "sub" },
        { git: [...IDENTITY, "commit", "-q", "-m", "more"], in: "sub" },
      ],
      ({ repo, path }) => {
        repo.git("init", "-q", path("library"));
        repo.git("-C", path("library"), ...IDENTITY, "commit", "-q", "--allow-empty", "-m", "first");
        repo.git(...LOCAL, "submodule", "add", "-q", path("library"), "sub");
        repo.git("commit", "-q", "-m", "a submodule");
      },
    );
    expect(warnings).toEqual([expect.stringMatching(/^step-1: submodule_moved: .*: sub$/)]);
    expect(shop.repo.git("-C", join(shop.worktree(), "sub"), "show", "HEAD:more.txt")).toBe("more");
  });
});
