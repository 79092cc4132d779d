import { describe, expect, it } from "vitest";
import { type Envelope, pawlAsync } from "../support/cli.ts";
import { SMALL_PLAN } from "../support/plans.ts";
import { ok, PLAN, type Workshop, workshop } from "../support/workshop.ts";
import { query } from "../support/world.ts";

/** Runs all command lines at the same time. */
const race = (
  shop: Workshop,
  calls: readonly (readonly string[])[],
): Promise<(Envelope & { code: number })[]> =>
  Promise.all(
    calls.map(async (args) => {
      const { code, stdout } = await pawlAsync({ cwd: shop.home }, ...args, "--json");
      return { ...(JSON.parse(stdout) as Envelope), code: code ?? -1 };
    }),
  );

describe("state init", () => {
  it("saves every step, substep, dependency and item of a plan", () => {
    const shop = workshop(null);
    shop.repository.write(PLAN, SMALL_PLAN);

    expect(ok(shop.json("state", "init", PLAN))).toMatchObject({
      plan_path: PLAN,
      already_initialized: false,
      step_count: 3,
      substep_count: 2,
      dep_count: 3,
      checklist_count: 9,
    });
    const count = (table: string) => query(shop.database, `select count(*) as n from ${table}`)[0]?.["n"];
    expect(["steps", "step_deps", "checklist_items"].map(count)).toEqual([5, 3, 9]);
  });

  it("changes nothing when called twice, and says that the plan has state already", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.finish(mine, "step-0");
    const before = shop.plan();

    expect(ok(shop.json("state", "init", PLAN))).toMatchObject({
      already_initialized: true,
      step_count: 3,
      substep_count: 2,
      dep_count: 3,
      checklist_count: 9,
    });
    expect(shop.plan()).toEqual(before);
  });

  it("numbers steps and substeps in the order they are declared", () => {
    const shop = workshop();
    const rows = query(
      shop.database,
      "select anchor, parent_anchor, step_index from steps order by step_index",
    );
    expect(rows).toEqual([
      { anchor: "step-0", parent_anchor: null, step_index: 0 },
      { anchor: "step-1", parent_anchor: null, step_index: 1 },
      { anchor: "step-1-1", parent_anchor: "step-1", step_index: 2 },
      { anchor: "step-1-2", parent_anchor: "step-1", step_index: 3 },
      { anchor: "step-2", parent_anchor: null, step_index: 4 },
    ]);
  });

  it("stores ordinals from 0 within each kind and shows them from 1", () => {
    const shop = workshop();
    const rows = query(
      shop.database,
      "select kind, ordinal, text from checklist_items where step_anchor = 'step-0'",
    );
    expect(rows).toEqual([
      { kind: "task", ordinal: 0, text: "dig" },
      { kind: "task", ordinal: 1, text: "level" },
      { kind: "test", ordinal: 0, text: "is it flat" },
      { kind: "checkpoint", ordinal: 0, text: "inspected" },
    ]);
    expect(shop.items("step-0")).toEqual([
      "task 1: open",
      "task 2: open",
      "test 1: open",
      "checkpoint 1: open",
    ]);
  });

  it("lets twenty processes initialise at once and saves the plan once", async () => {
    const shop = workshop(null);
    shop.repository.write(PLAN, SMALL_PLAN);

    const answers = await race(
      shop,
      Array.from({ length: 20 }, () => ["state", "init", PLAN]),
    );

    expect(answers.map(({ code }) => code)).toEqual(Array.from({ length: 20 }, () => 0));
    expect(answers.filter(({ data }) => data["already_initialized"] === false)).toHaveLength(1);
    expect(query(shop.database, "select count(*) as n from checklist_items")).toEqual([{ n: 9 }]);
  });

  it("prints one envelope with --json", () => {
    const shop = workshop(null);
    shop.repository.write(PLAN, SMALL_PLAN);
    expect(shop.json("state", "init", PLAN)).toMatchObject({
      schema_version: "1",
      command: "state init",
      status: "ok",
      issues: [],
    });
  });
});
