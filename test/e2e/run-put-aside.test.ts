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
