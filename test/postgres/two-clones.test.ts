import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { pawl, pawlJson } from "../support/cli.ts";
import { planText } from "../support/plans.ts";
import { type Clone, clones, PLAN } from "./clones.ts";
import { openClone } from "./drain.ts";
import { sharedServer } from "./shared-server.ts";

const shared = sharedServer();
const TWO = planText([{ number: "1" }, { number: "2", dependsOn: ["step-1"] }]);

function machines(): { readonly a: Clone; readonly b: Clone } {
  const all = clones(shared.url, TWO);
  onTestFinished(all.remove);
  return { a: all.clone("host-a"), b: all.clone("host-b") };
}

const state = ({ path, env }: Pick<Clone, "path" | "env">, ...words: readonly string[]) =>
  pawlJson({ cwd: path, env }, "state", ...words);

test("reconcile reads the commits of the linked worktree it is called in, though its HEAD is on no branch", () => {
  const { a } = machines();
  expect(state(a, "init", PLAN).code).toBe(0);
  const worktree = a.addWorktree("detached");
  const message = `work\n\nPawl-Plan: ${PLAN}\nPawl-Step: step-1\n`;
  a.git("-C", worktree, "commit", "-q", "--allow-empty", "-m", message);
  const answer = state({ path: worktree, env: a.env }, "reconcile", PLAN, "--trust-unsigned");
  expect(answer.data).toMatchObject({ reconciled_count: 1, reconciled: [{ step_anchor: "step-1" }] });
});

test("init names the server as the store, and whether it found or made it there, without the password", () => {
  const { a, b } = machines();
  const { hostname, port, pathname, password } = new URL(shared.url);
  const where = `postgres://${hostname}:${port}${pathname}`;
  const first = pawlJson({ cwd: a.path, env: a.env }, "init");
  expect(first.data).toMatchObject({ database: where, created: true });
  const second = pawl({ cwd: b.path, env: b.env }, "init");
  expect(second.stdout).toContain(`Found the database ${where}.`);
  expect(JSON.stringify([first, second])).not.toContain(password);
});

test("a plan that one clone has edited counts for all, and a clone with the earlier text takes nothing back", () => {
  const { a, b } = machines();
  expect(state(a, "init", PLAN).code).toBe(0);
  const titles = () => {
    const { plan } = state(a, "show", PLAN).data as { plan: { steps: { title: string }[] } };
    return plan.steps.map(({ title }) => title);
  };
  writeFileSync(join(b.path, PLAN), TWO.replace("Work 2", "Work two"));
  const early = state(b, "claim", PLAN, "--worktree", ".");
  expect([early.code, early.issues[0]?.message]).toEqual([0, expect.stringContaining("uncommitted changes")]);
  expect(titles()).toEqual(["Work 1", "Work 2"]);

  b.git("commit", "-qam", "plan");
  expect(state(b, "claim", PLAN, "--worktree", ".").code).toBe(0);
  expect(titles()).toEqual(["Work 1", "Work two"]);

  const late = state(a, "claim", PLAN, "--worktree", ".");
  expect(JSON.stringify(late)).toContain("is an earlier text than the one that counts");
  expect(titles()).toEqual(["Work 1", "Work two"]);
});

test("the remote branch that is written down is one of the remote that the settings name", async () => {
  const { a } = machines();
  a.git("init", "-q", "--bare", join(a.path, "..", "mirror.git"));
  a.git("remote", "add", "m", join(a.path, "..", "mirror.git"));
  writeFileSync(join(a.path, "pawl.toml"), 'remote = "origin"\n');
  const pawlHere = await openClone(a);
  onTestFinished(() => pawlHere.close());
  await pawlHere.init({ plan: PLAN });
  const { claim } = await pawlHere.claim({ plan: PLAN, worktree: a.path });
  const commit = a.commit("work");
  a.git("push", "-q", "m", "HEAD:x");
  a.git("push", "-q", "origin", "HEAD:feature/long-name");
  const who = { plan: PLAN, step: "step-1", worktree: a.path, claim: claim! };
  await pawlHere.start(who);
  expect(await pawlHere.complete({ ...who, commit })).toMatchObject({
    commitRef: "origin/feature/long-name",
  });
});
