import { expect, it } from "vitest";
import { DOCUMENTS, type PlanDocument } from "../support/plan-edits/documents.ts";
import { AGENT, type RunShop, runShop } from "../support/run-shop.ts";

/** A repository whose plan has two steps in the given format, with state. */
function plannedShop(document: PlanDocument): RunShop {
  const shop = runShop([{ number: "1" }]);
  shop.repo.git("rm", "-q", "plan.md");
  document.write(shop.repo.path, [document.make(1, "Dig the well k0001"), document.make(2, "Roof k0002")]);
  commitPlan(shop, document);
  expect(shop.pawl("state", "init", document.plan).code).toBe(0);
  return shop;
}

function commitPlan({ repo }: RunShop, { plan }: PlanDocument): void {
  repo.git("add", "-A", "--", plan);
  repo.git("commit", "-qm", "plan");
}

function tick({ repo }: RunShop, document: PlanDocument, at: number): void {
  const units = document.read(repo.path);
  document.write(repo.path, units.with(at, units[at]!.tick()));
}

const started = (shop: RunShop) =>
  shop.query("select distinct anchor from events where event = 'started'").length;

const FORMATS = new Set([
  "checklist",
  "kiro",
  "cursor",
  "task-master",
  "ralph",
  "task-files",
  "implementation-plan",
]);
const CARRIED = DOCUMENTS.filter(({ name }) => FORMATS.has(name));

it.each(CARRIED)(
  "a step that a person ticks and commits after init is completed, not done: $name",
  async (document) => {
    const shop = plannedShop(document);
    tick(shop, document, 1);
    commitPlan(shop, document);
    const { code, stderr } = await shop.start("run", document.plan, ...AGENT).ended;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain("changed: completed in the file, not verified: ");
    expect(started(shop)).toBe(1);
    const [, second] = shop.query("select status, complete_reason from steps order by step_index");
    expect(second).toEqual({ status: "completed", complete_reason: "in the plan file: completed" });
    const [, { anchor }] = shop.query("select anchor from steps order by step_index") as [
      unknown,
      { anchor: string },
    ];
    expect(shop.json("explain", document.plan, anchor).data["steps"]).toMatchObject([
      { because: "It was completed in the plan file: completed." },
    ]);
    expect(
      shop.query(
        "select count(*) as lines from events where event = 'plan-grown' and detail like '%completed%'",
      ),
    ).toEqual([{ lines: 1 }]);
  },
);

it("a tick that is not committed is reported, and the step is done", async () => {
  const document = DOCUMENTS.find(({ name }) => name === "checklist")!;
  const shop = plannedShop(document);
  tick(shop, document, 1);
  const { code, stderr } = await shop.start("run", document.plan, ...AGENT).ended;
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stderr).toMatch(/todo\.md says that \S+ is done, uncommitted\. That counts once it is committed\./);
  expect(started(shop)).toBe(2);
});

it("a tick of a step that was reopened does not complete it again", () => {
  const document = DOCUMENTS.find(({ name }) => name === "checklist")!;
  const shop = plannedShop(document);
  const claimed = () => shop.json("state", "claim", document.plan, "--worktree", shop.repo.path).data.anchor;
  const [first, second] = shop
    .query("select anchor from steps order by step_index")
    .map(({ anchor }) => anchor);
  tick(shop, document, 0);
  commitPlan(shop, document);
  expect(claimed()).toBe(second);
  shop.pawl("state", "release", document.plan, String(second), "--worktree", shop.repo.path);
  shop.pawl("state", "reopen", document.plan, String(first), "--reason", "it leaks");
  // What is committed still has the tick, and a person puts it back.
  tick(shop, document, 0);
  expect(claimed()).toBe(first);
});
