import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Envelope, pawlJson } from "../support/cli.ts";
import { planText } from "../support/plans.ts";
import { type Clone, clones, type Clones, PLAN } from "./clones.ts";
import { openClone, repositoryIdOf } from "./drain.ts";
import { freshId, sharedServer } from "./shared-server.ts";

const shared = sharedServer();

const THREE = planText([
  { number: "1" },
  { number: "2", dependsOn: ["step-1"] },
  { number: "3", dependsOn: ["step-1", "step-2"] },
]);

function machines(): { readonly all: Clones; readonly a: Clone; readonly b: Clone } {
  const all = clones(shared.url, THREE);
  onTestFinished(all.remove);
  return { all, a: all.clone("host-a"), b: all.clone("host-b") };
}

const state = ({ path, env }: Clone, ...words: readonly string[]) =>
  pawlJson({ cwd: path, env }, "state", ...words);

/** Claims, starts and completes the next step, with a commit made for it. */
async function work(clone: Clone, step: string, publish: (commit: string) => void = () => undefined) {
  const pawl = await openClone(clone);
  try {
    const { claim } = await pawl.claim({ plan: PLAN, worktree: clone.path, step });
    const commit = clone.commit(`work-${step}`);
    publish(commit);
    const who = { plan: PLAN, step, worktree: clone.path, claim: claim! };
    await pawl.start(who);
    return { commit, answer: await pawl.complete({ ...who, commit }) };
  } finally {
    await pawl.close();
  }
}

const warnings = ({ issues }: Envelope) => issues.map(({ code, message, hint }) => ({ code, message, hint }));

describe("a step that builds on work of another machine", () => {
  test("is claimed with a warning that names the fetch, until the commit is there", async () => {
    const { a, b } = machines();
    state(a, "init", PLAN);
    const { commit, answer } = await work(a, "step-1", () =>
      a.git("push", "-q", "origin", "HEAD:feature/one"),
    );
    expect(answer.commitRef).toBe("origin/feature/one");

    const claimed = state(b, "claim", PLAN, "--worktree", ".");
    expect(claimed).toMatchObject({ code: 0, data: { anchor: "step-2" } });
    const fetch = "git fetch origin feature/one";
    expect(warnings(claimed)).toEqual([
      {
        code: "W002",
        message: `The work of step-1 (commit ${commit}) is not in this clone.`,
        hint: `Run \`${fetch}\` before you start.`,
      },
    ]);
    expect(claimed.data["missing_commits"]).toEqual([{ anchor: "step-1", commit, fetch }]);

    b.git(...fetch.split(" ").slice(1));
    expect(warnings(state(b, "claim", PLAN, "--worktree", "."))).toEqual([]);
  });

  test("says so when its owner has not pushed the commit", async () => {
    const { a, b } = machines();
    state(a, "init", PLAN);
    const { commit, answer } = await work(a, "step-1");
    expect(answer.commitRef).toBeNull();
    const claimed = state(b, "claim", PLAN, "--worktree", ".");
    expect(warnings(claimed)).toEqual([
      {
        code: "W002",
        message: `The work of step-1 (commit ${commit}) is not in this clone.`,
        hint: "Its owner has not pushed it yet; wait for that before you build on it.",
      },
    ]);
    expect(warnings(state(a, "claim", PLAN, "--worktree", "."))).not.toContainEqual(
      expect.objectContaining({ code: "W002" }),
    );
  });

  test("names the fetch of every commit that is missing, and only of those", async () => {
    const { a, b } = machines();
    state(a, "init", PLAN);
    await work(a, "step-1", () => a.git("push", "-q", "origin", "HEAD:main"));
    b.git("fetch", "-q", "origin");
    const second = await work(a, "step-2", () => a.git("push", "-q", "origin", "HEAD:side"));
    const { data } = state(b, "claim", PLAN, "--worktree", ".");
    expect(data["missing_commits"]).toEqual([
      { anchor: "step-2", commit: second.commit, fetch: "git fetch origin side" },
    ]);
  });

  test("names the remote by the name it has here, where the settings say which one is shared", async () => {
    const { a, b } = machines();
    a.git("remote", "rename", "origin", "upstream");
    writeFileSync(join(b.path, "pawl.toml"), 'remote = "origin"\n');
    const id = { PAWL_REPOSITORY_ID: freshId() };
    const named = (clone: Clone): Clone => ({ ...clone, env: { ...clone.env, ...id } });
    const [there, here] = [named(a), named(b)];
    state(there, "init", PLAN);
    const { answer } = await work(there, "step-1", () => a.git("push", "-q", "upstream", "HEAD:one/side"));
    expect(answer.commitRef).toBe("upstream/one/side");
    const pawl = await openClone(here);
    const { missingCommits } = await pawl.claim({ plan: PLAN, worktree: b.path });
    await pawl.close();
    expect(missingCommits.map(({ fetch }) => fetch)).toEqual(["git fetch origin one/side"]);
  });
});

describe("a repository on a server", () => {
  test("is the same in every clone, however it was cloned and whatever else it holds", async () => {
    const { all, a, b } = machines();
    a.git("notes", "add", "-m", "a note has a history of its own", "HEAD");
    a.git("checkout", "-q", "--orphan", "pages");
    a.git("commit", "-q", "--allow-empty", "-m", "pages");
    a.git("push", "-q", "origin", "pages");
    a.git("checkout", "-q", "main");
    const c = all.clone("host-c");
    for (const clone of [a, b, c]) state(clone, "init", PLAN);
    expect(new Set([a, b, c].map(repositoryIdOf)).size).toBe(1);
  });
});
