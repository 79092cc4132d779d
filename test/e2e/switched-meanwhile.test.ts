import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pawl } from "../support/cli.ts";
import { gitThat } from "../support/git-that.ts";
import { ok, PLAN, refused } from "../support/workshop.ts";
import { read, worktreeShop, type WorktreeShop } from "../support/worktree-shop.ts";

/** A person switches to a branch in the very moment in which Pawl moves it, because nobody had it checked out. */

interface Site extends WorktreeShop {
  readonly path: string;
  /** A checkout of the person's, on a branch of their own. */
  readonly theirs: string;
}

function site(): Site {
  const shop = worktreeShop();
  shop.commit(shop.home, { shared: "before\n", [PLAN]: read(shop.home, PLAN) });
  shop.repository.git("branch", "release");
  const path = shop.create()["worktree_path"] as string;
  shop.commit(path, { "ground.txt": "ground", shared: "after\n" }, "step-0");
  const theirs = join(shop.home, ".git/theirs");
  shop.repository.git("worktree", "add", "-q", "-b", "side", theirs);
  return { ...shop, path, theirs };
}

const tip = ({ repository }: Site, ref = "release"): string => repository.git("rev-parse", ref);
const status = ({ gitIn, theirs }: Site): string => gitIn(theirs, "status", "--porcelain");
const SWITCH = "git switch -q release";

/** A checkout that leaves the base instead, after the merge was worked out for its files. */
function leaving(command: string): void {
  const shop = site();
  shop.gitIn(shop.theirs, "switch", "-q", "release");
  const before = tip(shop);
  const once = join(shop.home, ".git/it-happened");
  const env = gitThat(
    shop.home,
    command,
    `[ -e "${once}" ] || { : > "${once}"; git -C "${shop.theirs}" switch -q -c elsewhere; }`,
  );
  const answer = ok(shop.jsonWith({ env }, "worktree", "merge", PLAN, "--into", "release"));
  expect(answer).toMatchObject({ merged: true, checkout: null });
  expect([tip(shop), tip(shop, "elsewhere")]).toEqual([answer["commit_hash"], before]);
  expect([status(shop), existsSync(join(shop.theirs, "ground.txt"))]).toEqual(["", false]);
  expect(shop.refs("refs/pawl/forward")).toEqual([]);
}

/** An environment in which something is done in their checkout once, before or after the base moves. */
function striking(shop: Site, script: { readonly before?: string; readonly after?: string }) {
  const once = join(shop.home, ".git/it-happened");
  const inTheirs = (text = ":") => `(cd "${shop.theirs}" && ${text})`;
  return gitThat(
    shop.home,
    "update-ref --no-deref -m pawl: merge refs/heads/release",
    `if [ ! -e "${once}" ]; then : > "${once}"; ${inTheirs(script.before)}; git "$@" || exit; ${inTheirs(script.after)}; exit 0; fi`,
  );
}

const mergeInto = (shop: Site, script: Parameters<typeof striking>[1]) =>
  shop.jsonWith({ env: striking(shop, script) }, "worktree", "merge", PLAN, "--into", "release");

// proves G-never-half-merged
describe("a checkout that comes to the base while it moves", () => {
  it("is brought along", () => {
    const shop = site();
    const before = tip(shop);
    const answer = ok(mergeInto(shop, { before: SWITCH }));
    expect(answer).toMatchObject({ merged: true, checkout: shop.theirs });
    expect(tip(shop)).toBe(answer["commit_hash"]);
    expect([status(shop), read(shop.theirs, "ground.txt")]).toEqual(["", "ground"]);
    // The branch never lost the commit that it was at.
    expect(tip(shop, "release^1")).toBe(before);
    shop.commit(shop.theirs, { "next.txt": "next" });
    expect(shop.repository.git("show", "--format=", "--name-only", "release")).toBe("next.txt");
  });

  it("keeps its changes, and the base stays where it was, when they are in the way", () => {
    const shop = site();
    const before = tip(shop);
    const answer = mergeInto(shop, { before: `${SWITCH} && printf mine > shared && printf x > other` });
    expect(refused(answer, "E111", 4).details).toMatchObject({
      worktree_path: shop.theirs,
      files: ["shared"],
    });
    expect(tip(shop)).toBe(before);
    expect(status(shop)).toBe("M shared\n?? other");
    expect(read(shop.theirs, "shared")).toBe("mine");
  });

  it("keeps what it had staged in every file that the merge changes", () => {
    const shop = site();
    const before = tip(shop);
    shop.put(shop.theirs, { shared: "mine\n", "ground.txt": "mine" });
    shop.gitIn(shop.theirs, "add", "--all");
    refused(mergeInto(shop, { before: SWITCH }), "E111", 4);
    expect(tip(shop)).toBe(before);
    expect(status(shop)).toBe("A  ground.txt\nM  shared");
  });

  it("is left alone when it came after the move, and has the files", () => {
    const shop = site();
    const answer = ok(mergeInto(shop, { after: SWITCH }));
    expect(answer).toMatchObject({ merged: true, checkout: null });
    expect(tip(shop)).toBe(answer["commit_hash"]);
    expect([status(shop), read(shop.theirs, "ground.txt")]).toEqual(["", "ground"]);
    expect(shop.repository.git("reflog", "release")).not.toContain("taken back");
  });

  it("is told of when somebody committed there before the base could be taken back", () => {
    const shop = site();
    const issue = refused(
      mergeInto(shop, { before: SWITCH, after: "git commit -q --allow-empty -m theirs" }),
      "E366",
      4,
    );
    expect(issue.details).toMatchObject({ worktree_path: shop.theirs, branch_name: "release" });
    // Their commit took the merge back without a word; what it took is in the commit that is named.
    expect(shop.repository.git("log", "-1", "--format=%s", "release")).toBe("theirs");
    expect(tip(shop, "release^1")).toBe(issue.details?.["commit"]);
    expect(issue.hint).toContain(`diff --stat ${String(issue.details?.["commit"])} HEAD`);
  });

  it("is brought along by the next call when the one that moved the base was killed", () => {
    const shop = site();
    const before = tip(shop);
    const env = striking(shop, { before: SWITCH, after: "kill -9 $PPID" });
    const args = ["worktree", "merge", PLAN, "--into", "release"];
    expect(pawl({ cwd: shop.home, env }, ...args)).toMatchObject({ signal: "SIGKILL" });
    expect(tip(shop)).not.toBe(before);
    expect(status(shop)).toBe("D  ground.txt\nM  shared");
    const answer = ok(shop.json(...args));
    expect(answer).toMatchObject({ merged: true, checkout: shop.theirs });
    expect([status(shop), existsSync(join(shop.theirs, "ground.txt"))]).toEqual(["", true]);
  });
});

describe("a checkout that leaves the base just before its files would change", () => {
  it.each(["update-ref --no-deref refs/pawl/forward", "read-tree -i -m", "update-ref --stdin"])(
    "keeps its files, at `git %s`",
    leaving,
  );
});
