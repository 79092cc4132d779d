import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Acts, type RunShop, runShop } from "../support/run-shop.ts";

/** Fails where a line of a test is in no file of the code. */
const CHECK = `
import { readdirSync, readFileSync } from "node:fs";
const all = (folder) => readdirSync(folder).map((name) => readFileSync(folder + "/" + name, "utf8")).join("\\n");
const code = all("src");
const wanted = all("test").split("\\n").filter((line) => line.startsWith("expect "));
const missing = wanted.filter((line) => !code.includes(line.slice(7)));
if (missing.length > 0) { console.log("missing: " + missing.join(", ")); process.exit(1); }
`;

function provingShop(mode: string, more = ""): RunShop {
  const shop = runShop(
    [{ number: "1", tasks: ["code and tests"] }],
    `[verify]\ncommand = ["node", "check.mjs"]\ncounterfactual = "${mode}"\ntest_paths = ["test/**"]\n${more}`,
  );
  shop.repo.write("check.mjs", CHECK);
  shop.repo.write("src/old.txt", "old\n");
  shop.repo.write("test/old.txt", "expect old\n");
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-q", "-m", "a check");
  return shop;
}

const CODE = { write: "src/new.txt", text: "new\n" };
const HOLLOW: Acts = [CODE, { write: "test/new.txt", text: "expect old\n" }, { tick: "all" }];
const PROVING: Acts = [CODE, { write: "test/new.txt", text: "expect new\n" }, { tick: "all" }];

interface Seen {
  readonly checked: string;
  readonly outcome: string;
  readonly warnings?: readonly string[];
}
const lastEvidence = (shop: RunShop): Seen | undefined =>
  (
    JSON.parse(
      String(shop.query("select evidence from verdicts order by attempt desc limit 1")[0]!["evidence"]),
    ) as readonly Seen[]
  ).at(-1);

describe("a step whose tests pass on the code from before", () => {
  it("goes back to its agent with reject, and lands once they fail there", async () => {
    const shop = provingShop("reject");
    shop.script({ steps: { "step-1": [HOLLOW, PROVING] } });
    const { code, stderr } = await shop.run();
    expect(code).toBe(0);
    expect(stderr).toContain("one more check, its tests on the code from before: node check.mjs");
    expect(shop.starts("step-1")).toBe(2);
    const prompts = [1, 2].map((at) => readFileSync(shop.path(`script.json.step-1.${at}.json`), "utf8"));
    expect(prompts[1]).toContain("node check.mjs passes with them on the code from before the step");
    expect(shop.query("select verification_attempts as n from steps")).toEqual([{ n: 2 }]);
    expect(lastEvidence(shop)).toMatchObject({
      checked: "the step's tests on the code from before",
      outcome: "passed",
    });
    // The tree itself passed both times: only the tests were sent back.
    expect(
      shop.query("select outcome from tree_verdicts where kind = 'step'").map(({ outcome }) => outcome),
    ).toEqual(["passed", "passed"]);
  });

  it("lands with a warning with warn, and costs nothing when off", async () => {
    const shop = provingShop("warn");
    shop.script({ steps: { "step-1": [HOLLOW] } });
    const { code, stdout } = await shop.run();
    expect(code).toBe(0);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("tests: node check.mjs passes with them on the code");
    expect(lastEvidence(shop)?.warnings).toHaveLength(1);
    expect(shop.pawl("explain", "plan.md", "step-1").stdout).toContain("about its tests:");
    expect(shop.query("select kind from tree_verdicts where kind = 'counterfactual'")).toHaveLength(1);
    const off = provingShop("off");
    off.script({ steps: { "step-1": [HOLLOW] } });
    expect((await off.run()).code).toBe(0);
    expect(off.query("select kind from tree_verdicts where kind = 'counterfactual'")).toEqual([]);
  });

  it("is not held back where checks run in the worktree: the verdict says that its tests were not tried", async () => {
    const shop = provingShop("reject", "clean = false\n");
    shop.script({ steps: { "step-1": [HOLLOW] } });
    const { code } = await shop.run();
    expect(code).toBe(0);
    expect(lastEvidence(shop)?.warnings?.[0]).toContain("they were not tried on the code from before");
  });
});
