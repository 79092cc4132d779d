import { beforeAll, expect, it } from "vitest";
import { COMMIT_PLAN } from "../support/commit-shop.ts";
import { sharedPostgres } from "../support/shared-processes.ts";
import { type Data, ok, PLAN, refused, workshop } from "../support/workshop.ts";

let server: { readonly url: string };

beforeAll(async () => {
  server = await sharedPostgres();
});

it("commits, completes, fails to complete and reconciles with the state on a server", () => {
  const shop = workshop(null);
  const { repository, home } = shop;
  const pawl = (...args: readonly string[]) =>
    shop.jsonWith({ env: { PAWL_DATABASE_URL: server.url, PAWL_REPOSITORY_ID: "commits" } }, ...args);
  const commit = (step: string, ...more: readonly string[]) =>
    pawl("commit", "--plan", PLAN, "--step", step, "--worktree", home, ...more);
  const take = (step: string) => {
    ok(pawl("state", "claim", PLAN, "--step", step, "--worktree", home));
    ok(pawl("state", "start", PLAN, step, "--worktree", home));
  };
  repository.write(PLAN, COMMIT_PLAN);
  repository.git("add", "-A");
  repository.git("commit", "-q", "-m", "the plan");
  ok(pawl("state", "init", PLAN));

  take("step-1");
  refused(commit("step-1"), "E130", 1);
  repository.write("a", "a");
  const first = ok(commit("step-1", "--request-id", "r"));
  expect(first).toMatchObject({ completed: true, files_staged: ["a"] });
  expect(ok(commit("step-1", "--request-id", "r"))).toEqual(first);

  take("step-3");
  repository.write("b", "b");
  expect(ok(commit("step-3"))).toMatchObject({ committed: true, state_update_failed: true });
  const checks = ok(pawl("doctor"))["checks"] as Data[];
  expect(checks.find(({ name }) => name === "commits")).toMatchObject({ status: "warn" });
  ok(pawl("state", "update", PLAN, "step-3", "--worktree", home, "--all", "completed"));
  expect(ok(commit("step-3"))).toMatchObject({ resumed: true, completed: true });

  ok(pawl("state", "reopen", PLAN, "step-1", "--reason", "wrong"));
  expect(ok(pawl("state", "reconcile", PLAN))["proposals"]).toMatchObject([{ kind: "reopened" }]);
  expect(ok(pawl("state", "reconcile", PLAN, "--force"))["reconciled_count"]).toBe(1);
});
