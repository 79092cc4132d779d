import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AGENT, GOOD, runShop, THREE, untilWritten } from "../support/run-shop.ts";
import { type Data, ok, PLAN, workshop } from "../support/workshop.ts";

describe("a step that is held from a worktree that was deleted", () => {
  const left = () => {
    const shop = workshop();
    const gone = shop.worktree("gone");
    const { anchor } = shop.take(gone) as { anchor: string };
    rmSync(gone, { recursive: true });
    return { shop, gone, anchor };
  };

  it("is handed out to the next claim", () => {
    const { shop, gone, anchor } = left();
    expect(ok(shop.claim("."))).toMatchObject({ anchor, reclaimed: true, displaced: { worktree: gone } });
  });

  it("is found by recover, which gives it back", () => {
    const { shop, gone, anchor } = left();
    const found = ok(shop.json("recover"));
    expect(found["repaired"]).toMatchObject([{ rule: "owner-gone", repair: "release", done: true }]);
    expect((found["findings"] as Data[])[0]!["found"]).toContain(`its worktree ${gone} is gone`);
    expect(shop.step(anchor)["status"]).toBe("pending");
  });

  it("is explained with commands that work, none of which names the deleted worktree as the caller's", () => {
    const { shop, gone, anchor } = left();
    const [step] = ok(shop.json("explain", PLAN, anchor))["steps"] as Data[];
    expect(step!["because"]).toContain(`its worktree ${gone} is gone`);
    const options = step!["options"] as string[];
    expect(options).toEqual([
      `pawl state claim ${PLAN} --step ${anchor} --worktree .`,
      `pawl state release ${PLAN} ${anchor} --force`,
      `pawl recover ${PLAN}  # release it; its work is saved first`,
    ]);
    ok(shop.json("state", "release", PLAN, anchor, "--force"));
    expect(shop.step(anchor)["status"]).toBe("pending");
  });

  it("stays with its owner where the worktree was only moved", () => {
    const shop = workshop();
    const from = shop.worktree("from");
    const { anchor } = shop.take(from) as { anchor: string };
    shop.repository.git("worktree", "move", from, `${from}-moved`);
    expect(shop.claim(".", "--step", anchor)).toMatchObject({ code: 6, data: { claimed: false } });
  });
});

async function cutOffWithoutWorktree() {
  const shop = runShop([THREE[0]!]);
  shop.script({ steps: { "step-1": [[{ write: "half.txt" }, { hang: true }], GOOD] } });
  const { child, ended } = shop.start("run", "plan.md", ...AGENT);
  await untilWritten(join(shop.worktree(), "half.txt"));
  child.kill("SIGINT");
  await ended;
  const half = readFileSync(join(shop.worktree(), "half.txt"), "utf8");
  rmSync(shop.worktree(), { recursive: true });
  return { shop, half };
}

it("names the saved work of a run whose worktree was deleted, and the command that brings it back", async () => {
  const { shop, half } = await cutOffWithoutWorktree();
  const { stdout } = shop.pawl("state", "claim", "plan.md", "--worktree", ".");
  const [, command = ""] = /bring it here with: pawl (.*)$/m.exec(stdout) ?? [];
  expect(command).toMatch(/^snapshot restore refs\/pawl\/snapshots\//);
  expect(shop.pawl(...command.split(" "))).toMatchObject({ code: 0 });
  expect(readFileSync(join(shop.repo.path, "half.txt"), "utf8")).toBe(half);
});

it("names it, too, once recovery has given the step back", async () => {
  const { shop } = await cutOffWithoutWorktree();
  const id = shop.json("sessions", "list").data.sessions[0].id as string;
  shop.json("recover", "--answer", `orphaned-worktree:${id}=C`);
  expect(shop.steps()).toEqual(["step-1 pending"]);
  const [{ evidence }] = shop.json("explain", "plan.md", "step-1").data.steps;
  const kept = expect.stringMatching(/^work of it is kept: refs\/pawl\/snapshots\//) as string;
  expect(evidence).toContainEqual({ at: expect.any(String) as string, fact: kept });
  const { stdout } = shop.pawl("state", "claim", "plan.md", "--worktree", ".");
  const [, command = ""] = /with: pawl (.*)$/m.exec(stdout) ?? [];
  expect(shop.pawl(...command.split(" ")).code).toBe(0);
  expect(readdirSync(shop.repo.path)).toContain("half.txt");
});
