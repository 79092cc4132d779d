import { expect, it } from "vitest";
import { type RunShop, runShop, THREE } from "../support/run-shop.ts";

/** A repository with files in `docs` and `src`. */
function shopOf(): RunShop {
  const shop = runShop(THREE.slice(0, 2));
  for (const folder of ["docs", "src"]) shop.repo.write(`${folder}/kept.txt`, "kept\n");
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-q", "-m", "docs and src");
  return shop;
}

const on = (shop: RunShop, path: string): string => shop.repo.git("show", `pawl/plan:${path}`);

it("commits what an agent changes outside of a sparse checkout", async () => {
  const shop = shopOf();
  shop.repo.git("sparse-checkout", "set", "docs");
  const acts = [{ write: "src/kept.txt" }, { write: "src/{step}.txt" }, { tick: "all" }];
  shop.script({ runs: [acts] });
  expect((await shop.run()).stdout).toContain("All steps are completed");
  expect(on(shop, "src/kept.txt")).not.toBe("kept");
  for (const step of ["step-1", "step-2"]) expect(on(shop, `src/${step}.txt`)).not.toBe("");
  expect(on(shop, "docs/kept.txt")).toBe("kept");
});

it("gives the next agent all files where one has narrowed its worktree", async () => {
  const shop = shopOf();
  const narrow = [
    { git: ["sparse-checkout", "set", "--cone", "docs"] },
    { write: "one.txt" },
    { tick: "all" },
  ];
  const look = [{ git: ["mv", "src/kept.txt", "src/moved.txt"] }, { tick: "all" }];
  shop.script({ steps: { "step-1": [narrow], "step-2": [look] } });
  expect((await shop.run()).stdout).toContain("All steps are completed");
  expect(on(shop, "src/moved.txt")).toBe("kept");
});
