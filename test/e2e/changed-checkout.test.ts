import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type RunShop, runShop, THREE } from "../support/run-shop.ts";

/** A new worktree that is not clean: what makes it, and what it leaves there. */
const CHANGED: Readonly<Record<string, () => RunShop>> = {
  "a set-up that changes a committed file": () => setUp("echo // >> lock.json"),
  "a set-up that writes a file": () => setUp("echo v1 > version.txt"),
  "a hook that writes a file"() {
    const shop = setUp(undefined);
    const hook = join(shop.repo.path, ".git/hooks/post-checkout");
    writeFileSync(hook, "#!/bin/sh\necho v1 > version.txt\n", { mode: 0o755 });
    return shop;
  },
  "line ends that git would change"() {
    const shop = setUp(undefined);
    shop.repo.write("old.bat", "a\r\nb\r\n");
    shop.repo.git("add", "-A");
    shop.repo.git("commit", "-q", "-m", "line ends");
    shop.repo.write(".gitattributes", "*.bat text eol=crlf\n");
    shop.repo.git("add", ".gitattributes");
    shop.repo.git("commit", "-q", "-m", "attributes");
    return shop;
  },
};

function setUp(command: string | undefined): RunShop {
  const settings =
    command === undefined ? undefined : `worktree_setup = ${JSON.stringify(["sh", "-c", command])}\n`;
  const shop = runShop(THREE.slice(0, 2), settings);
  shop.repo.write("lock.json", "{}\n");
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-q", "-m", "a lock file");
  return shop;
}

it.each(Object.keys(CHANGED))("gives an agent a new worktree that is not clean: %s", async (name) => {
  const shop = CHANGED[name]!();
  expect((await shop.run()).stdout).toContain("All steps are completed");
  expect(shop.commits()).toEqual(["step-1", "step-2"]);
  expect(["step-1", "step-2"].map(shop.starts)).toEqual([1, 1]);
});
