import { chmodSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commitShop } from "../support/commit-shop.ts";
import { AGENT, type RunShop, runShop } from "../support/run-shop.ts";
import { ok } from "../support/workshop.ts";

/** Completed steps whose commits the plan's branch does not have, and branches that only look that way. */

async function finished(settings?: string): Promise<RunShop> {
  const shop = runShop(undefined, settings);
  expect(await shop.run()).toMatchObject({ code: 0 });
  return shop;
}

const tip = ({ repo }: RunShop): string => repo.git("rev-parse", "pawl/plan");

const emptyRef = ({ repo }: RunShop): void => {
  const path = join(repo.path, ".git/refs/heads/pawl/plan");
  chmodSync(path, 0o644);
  truncateSync(path, 0);
};

interface Check {
  readonly name: string;
  readonly status: string;
  readonly details: { readonly problems?: readonly string[] };
}

const problems = (shop: RunShop): readonly string[] =>
  (shop.json("doctor").data.checks as Check[]).find(({ name }) => name === "git_objects")!.details.problems ??
  [];

/** What doctor and recover say. */
const trouble = (shop: RunShop) => {
  const { findings, open } = shop.json("recover", "--auto").data;
  return { problems: problems(shop), findings, open };
};

const NONE = { problems: [], findings: [], open: [] };

/** The plan's branch and the base have every step. */
const mergesAll = (shop: RunShop): void => {
  expect(shop.commits()).toEqual(["step-1", "step-2", "step-3"]);
  expect(shop.pawl("worktree", "merge", "plan.md")).toMatchObject({ code: 0 });
  expect(shop.repo.git("ls-tree", "--name-only", "main", "work/").split("\n")).toEqual([
    "work/step-1.txt",
    "work/step-2.txt",
    "work/step-3.txt",
  ]);
};

// proves G-power-cut-repaired
describe("an emptied branch of which git has packed an older commit", () => {
  it("gets its last commit back, and every step", async () => {
    const shop = await finished();
    const last = tip(shop);
    shop.repo.git("update-ref", "refs/heads/pawl/plan", `${last}~1`);
    shop.repo.git("pack-refs", "--all");
    shop.repo.git("update-ref", "refs/heads/pawl/plan", last);
    emptyRef(shop);

    const { repaired } = shop.json("recover", "--auto").data;

    expect(repaired).toMatchObject([{ rule: "damaged-branch", done: true }]);
    expect(tip(shop)).toBe(last);
    expect(trouble(shop)).toEqual(NONE);
    mergesAll(shop);
  });
});

// proves G-power-cut-repaired
describe("a plan's branch that lacks a completed step", () => {
  it("is moved forward by recover, and by a run", async () => {
    const shop = await finished();
    const last = tip(shop);
    for (const repair of [
      ["recover", "--auto"],
      ["run", "plan.md", ...AGENT],
      ["doctor", "--fix"],
    ]) {
      shop.repo.git("branch", "-f", "pawl/plan", `${last}~1`);
      expect(problems(shop)).toEqual([expect.stringContaining("step-3")]);
      shop.pawl(...repair);
      expect({ repair, tip: tip(shop) }).toEqual({ repair, tip: last });
    }
    expect(trouble(shop)).toEqual(NONE);
    mergesAll(shop);
  });

  it("is not merged until then, and the refusal names the steps and the command", async () => {
    const shop = await finished();
    const main = shop.repo.git("rev-parse", "main");
    shop.repo.git("branch", "-f", "pawl/plan", "pawl/plan~2");
    for (const options of [[], ["--squash"], ["--dry-run"]]) {
      const [issue] = shop.json("worktree", "merge", "plan.md", ...options).issues;
      expect(issue).toMatchObject({ code: "E114", message: expect.stringContaining("step-2, step-3") });
      expect(issue.hint).toContain("pawl recover");
    }
    expect(shop.repo.git("rev-parse", "main")).toBe(main);
    shop.json("recover", "--auto");
    mergesAll(shop);
  });

  it("is put back where its ref is gone and its mark is left", async () => {
    const shop = await finished();
    const last = tip(shop);
    shop.repo.git("update-ref", "-d", "refs/heads/pawl/plan");
    expect(problems(shop)).toEqual([expect.stringContaining("pawl/plan")]);
    expect(shop.json("worktree", "merge", "plan.md").issues).toMatchObject([{ code: "E114" }]);
    expect(shop.json("recover", "--auto").data.repaired).toMatchObject([
      { rule: "steps-off-branch", done: true },
    ]);
    expect(tip(shop)).toBe(last);
    expect(trouble(shop)).toEqual(NONE);
    mergesAll(shop);
  });

  it("is for a person where it has commits of its own, who brings the steps back or reopens them", async () => {
    const shop = await finished();
    const { repo } = shop;
    const last = tip(shop);
    const other = repo.git("commit-tree", "-p", `${last}~1`, "-m", "other", `${last}~1^{tree}`);
    const aside = (): string => repo.git("branch", "-f", "pawl/plan", other);
    aside();
    expect(shop.json("recover", "--auto").data.open).toMatchObject([
      { rule: "steps-off-branch", subject: "pawl/plan" },
    ]);
    expect(shop.json("run", "plan.md", "--agent", "claude").issues).toMatchObject([{ code: "E114" }]);
    expect(tip(shop)).toBe(other);

    shop.json("recover", "--answer", "steps-off-branch:pawl/plan=B");
    expect(repo.git("rev-list", "pawl/plan").split("\n")).toEqual(expect.arrayContaining([other, last]));
    expect(trouble(shop)).toEqual(NONE);

    aside();
    shop.json("recover", "--answer", "steps-off-branch:pawl/plan=R");
    expect(shop.steps()).toEqual(["step-1 completed", "step-2 completed", "step-3 pending"]);
  });
});

describe("what is no missing step", () => {
  it("work that was merged, squashed or rebased into the base, with or without its branch", async () => {
    for (const bring of ["merge", "squash", "by-hand", "rebase"]) {
      const shop = await finished();
      const { repo } = shop;
      if (bring === "merge") shop.pawl("worktree", "merge", "plan.md");
      if (bring === "squash") shop.pawl("worktree", "merge", "plan.md", "--squash");
      if (bring === "by-hand") {
        repo.git("merge", "--squash", "-q", "pawl/plan");
        repo.git("commit", "-q", "-m", "all of it");
      }
      if (bring === "rebase") {
        repo.write("other.txt", "other\n");
        repo.git("add", "-A");
        repo.git("commit", "-q", "-m", "other");
        repo.git("cherry-pick", "main~1..pawl/plan");
      }
      expect(trouble(shop)).toEqual(NONE);
      repo.git("update-ref", "-d", "refs/heads/pawl/plan");
      expect({ bring, problems: problems(shop) }).toEqual({ bring, problems: [] });
    }
  });

  it("a branch that a person rebased, reworded or amended", async () => {
    const shop = await finished();
    const { repo } = shop;
    repo.write("other.txt", "other\n");
    repo.git("add", "-A");
    repo.git("commit", "-q", "-m", "other");
    const hand = shop.path("hand");
    repo.git("worktree", "add", "-q", hand, "pawl/plan");
    repo.git("-C", hand, "rebase", "-q", "main");
    expect(trouble(shop)).toEqual(NONE);
    writeFileSync(join(hand, "work/step-3.txt"), "by hand\n");
    repo.git("-C", hand, "commit", "-q", "--all", "--amend", "--no-edit");
    expect(trouble(shop)).toEqual(NONE);
  });

  it("a step that was reverted and reopened", async () => {
    const shop = await finished();
    shop.pawl("state", "reopen", "plan.md", "step-3", "--reason", "wrong");
    shop.repo.git("branch", "-f", "pawl/plan", "pawl/plan~1");
    expect(problems(shop)).toEqual([]);
  });

  it("a branch that was deleted after its work went elsewhere", async () => {
    const shop = await finished();
    shop.repo.git("branch", "elsewhere", "pawl/plan");
    shop.repo.git("branch", "-f", "pawl/plan", "main");
    expect(trouble(shop)).toEqual(NONE);
  });

  it("steps that were committed on a branch of the user's, or in the main checkout", () => {
    const commits = commitShop();
    const mine = commits.worktree("mine");
    commits.take(mine);
    commits.write(mine, "ground.txt");
    ok(commits.commit(mine, "step-1"));
    const { checks } = ok(commits.json("doctor"));
    expect((checks as Check[]).find(({ name }) => name === "git_objects")).toMatchObject({ status: "pass" });
  });

  it("steps that landed as merges", async () => {
    const shop = await finished('[landing]\nstyle = "merge"\n');
    expect(trouble(shop)).toEqual(NONE);
  });
});
