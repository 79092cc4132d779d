import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type RunShop, runShop, THREE } from "../support/run-shop.ts";

/**
 * A repository whose `git worktree add` meets a person's `git branch -m` a few times: the ref has its new name already, and
 * the worktree's HEAD still the old one. Git then checks out nothing and reports success. Afterwards the person renames
 * the branch back.
 */
function renamedDuring(times: number): RunShop {
  const shop = runShop(THREE);
  shop.repo.write("src/kept.txt", "kept\n");
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-q", "-m", "a file that no step changes");
  const real = execFileSync("git", ["--exec-path"], { encoding: "utf8" }).trim();
  const inner = shop.path("git-core");
  const outer = shop.path("bin");
  for (const folder of [inner, outer]) mkdirSync(folder);
  for (const name of readdirSync(real)) if (name !== "git") symlinkSync(join(real, name), join(inner, name));
  const script = (path: string, text: string) => writeFileSync(path, `#!/bin/sh\n${text}`, { mode: 0o755 });
  script(
    join(inner, "git"),
    `if test "$1 $2" = "reset --hard"; then
  git=$('${real}/git' rev-parse --absolute-git-dir)
  branch=$(sed 's/^ref: //' "$git/HEAD")
  ref='${shop.repo.path}'/.git/$branch
  if test "$(cat '${inner}.times')" -gt 0 && test -e "$ref"; then
    expr "$(cat '${inner}.times')" - 1 > '${inner}.times'
    mv "$ref" "$ref-renamed"
    '${real}/git' "$@"
    code=$?
    mv "$ref-renamed" "$ref"
    exit $code
  fi
fi
exec '${real}/git' "$@"
`,
  );
  writeFileSync(`${inner}.times`, `${times}\n`);
  script(join(outer, "git"), `GIT_EXEC_PATH='${inner}' exec '${real}/git' "$@"\n`);
  Object.assign(shop.env, { PATH: `${outer}:${process.env["PATH"]}` });
  return shop;
}

describe("a branch that is renamed while git checks it out", () => {
  it.each([1, 2, 3])("loses no file of the plan's branch, with %i of the checkouts empty", async (times) => {
    const shop = renamedDuring(times);
    const run = await shop.run();
    expect(run.stdout).toContain("All steps are completed");
    expect(shop.repo.git("ls-tree", "-r", "--name-only", "pawl/plan").split("\n")).toEqual(
      expect.arrayContaining(["plan.md", "src/kept.txt", "work/step-1.txt", "work/step-3.txt"]),
    );
    expect(shop.repo.git("log", "--diff-filter=D", "--name-only", "--format=", "pawl/plan")).toBe("");
  });

  it("is reported by `worktree create`, and the next call makes the worktree", () => {
    const shop = renamedDuring(1);
    expect(shop.pawl("worktree", "create", "plan.md")).toMatchObject({ code: 4 });
    expect(shop.pawl("worktree", "create", "plan.md")).toMatchObject({ code: 0 });
    expect(readdirSync(join(shop.repo.path, ".pawl/worktrees/plan/src"))).toEqual(["kept.txt"]);
  });
});
