import { expect, it } from "vitest";
import { flatPlan } from "../support/plans.ts";
import { ok, PLAN, workshop } from "../support/workshop.ts";
import { withDatabase } from "../support/world.ts";

const READ_BY_VERBS = [
  "saved",
  "read-again",
  "worktree-created",
  "worktree-saved",
  "worktree-merging",
  "snapshot-dropped",
  "held",
];

// proves G-broken-input-changes-nothing
it("a damaged line of the journal is shown as one, and stops no verb", () => {
  const shop = workshop(flatPlan(2));
  shop.repository.git("add", "-A");
  shop.repository.git("commit", "-q", "-m", "plan");
  const made = ok(shop.json("worktree", "create", PLAN));
  const path = String(made["worktree_path"]);
  withDatabase(shop.database, (database) => {
    for (const event of READ_BY_VERBS)
      database
        .prepare("insert into events (at, plan_path, event, worktree, detail) values (?, ?, ?, ?, ?)")
        .run("2026-11-15T18:33:00.000Z", PLAN, event, path, '{"half": ');
  });
  const events = ok(shop.json("state", "events", "--last", "3"))["events"] as { detail: object }[];
  expect(events.map(({ detail }) => detail)).toContainEqual({ unreadable: '{"half": ' });
  for (const args of [
    ["state", "show", PLAN],
    ["state", "claim", PLAN, "--worktree", path],
    ["explain", PLAN],
    ["status"],
    ["prime"],
    ["doctor"],
    ["worktree", "create", PLAN],
    ["worktree", "list"],
    ["worktree", "merge", PLAN],
    ["recover", "--dry-run"],
    ["snapshot", "drop", "nothing", "--yes"],
    ["worktree", "remove", path],
  ]) {
    const { issues } = shop.json(...args);
    expect({ args, codes: issues.map(({ code }) => code) }).not.toMatchObject({
      codes: expect.arrayContaining(["E099"]) as unknown,
    });
  }
  shop.repository.write(PLAN, `${flatPlan(2)}\nedited\n`);
  expect(shop.json("state", "claim", PLAN, "--worktree", ".").issues.map(({ code }) => code)).toEqual([
    "W005",
  ]);
});
