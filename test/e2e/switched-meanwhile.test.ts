import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pawl, pawlAsync } from "../support/cli.ts";
import { gitThat } from "../support/git-that.ts";
import { AGENT, runShop, type RunShop } from "../support/run-shop.ts";
import { ok, PLAN, refused } from "../support/workshop.ts";
import { read, worktreeShop, type WorktreeShop } from "../support/worktree-shop.ts";

/** A person switches to a branch in the very moment in which Pawl moves it, because no checkout had it. */

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

  it("is reported when a person committed there before the base could be taken back", () => {
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
  it.each(["update-ref --no-deref refs/pawl/forward", "read-tree -m -u", "update-ref --stdin"])(
    "keeps its files, at `git %s`",
    leaving,
  );
});

/** The same while workers bring their steps to the plan's branch. */
async function runWith(shop: RunShop, script: string, ...args: readonly string[]): Promise<string> {
  const theirs = join(shop.repo.path, ".git/theirs");
  shop.repo.git("worktree", "add", "-q", "-b", "side", theirs);
  const once = join(shop.repo.path, ".git/it-happened");
  // Not when the branch is only being made.
  const when = "git show-ref --verify --quiet refs/heads/pawl/plan";
  const env = gitThat(
    shop.repo.path,
    "update-ref --no-deref -m pawl: merge refs/heads/pawl/plan",
    `if [ ! -e "${once}" ] && ${when}; then : > "${once}"; (cd "${theirs}" && ${script}); fi`,
  );
  const run = await pawlAsync(
    { cwd: shop.repo.path, env: { ...shop.env, ...env } },
    "run",
    "plan.md",
    ...args,
    ...AGENT,
  );
  expect(run).toMatchObject({ code: 0 });
  expect(existsSync(once)).toBe(true);
  return theirs;
}

const inTheirs = (shop: RunShop, theirs: string, ...args: readonly string[]): string =>
  shop.repo.git("-C", theirs, ...args).trim();

describe("a checkout that comes to the plan's branch while a run moves it", () => {
  it("is brought along with the step that is integrated, and with those after it", async () => {
    const shop = runShop();
    const theirs = await runWith(shop, "git switch -q pawl/plan", "--workers", "2");
    expect(shop.steps().every((line) => line.endsWith(" completed"))).toBe(true);
    expect(inTheirs(shop, theirs, "symbolic-ref", "--short", "HEAD")).toBe("pawl/plan");
    expect(inTheirs(shop, theirs, "status", "--porcelain")).toBe("");
    expect(shop.commits()).toEqual(["step-1", "step-2", "step-3"]);
    for (const step of ["step-1", "step-2", "step-3"])
      expect(existsSync(join(theirs, `work/${step}.txt`)), step).toBe(true);
  });

  it("keeps the branch where it was when a run was about to bring it to its base", async () => {
    const shop = runShop();
    expect((await shop.run("--workers", "2", "--max-steps", "1")).code).toBe(0);
    shop.repo.git("merge", "-q", "--ff-only", "pawl/plan");
    shop.repo.write("since.txt", "since");
    shop.repo.git("add", "since.txt");
    shop.repo.git("commit", "-q", "-m", "since");
    const theirs = await runWith(shop, "git switch -q pawl/plan", "--workers", "2", "--auto-continue");
    expect(inTheirs(shop, theirs, "status", "--porcelain")).toBe("");
    expect(shop.repo.git("reflog", "pawl/plan")).toContain("taken back, it was checked out meanwhile");
    expect(shop.commits()).toEqual(["step-2", "step-3"]);
    expect(existsSync(join(theirs, "work/step-3.txt"))).toBe(true);
  });
});
