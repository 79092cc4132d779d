import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AGENT, runShop } from "../support/run-shop.ts";
import { type Data, ok, PLAN, type Workshop, workshop } from "../support/workshop.ts";
import { withDatabase } from "../support/world.ts";

const section = (name: string, ...boxes: readonly string[]): string =>
  `## ${name}\n\n${boxes.join("\n")}\n\n`;
const PARSER = section("Parser", "- [ ] Write the code", "- [ ] Write tests");
const PRINTER = section("Printer", "- [ ] Write the code", "- [ ] Write tests");
const todo = (...sections: readonly string[]): string => `# Todo\n\n${sections.join("")}`;

const file = (shop: Workshop): string => readFileSync(join(shop.home, PLAN), "utf8");

const readAgain = (shop: Workshop, text: string): Data => {
  shop.repository.write(PLAN, text);
  return ok(shop.json("state", "init", PLAN, "--force"));
};

const statuses = (shop: Workshop): readonly string[] =>
  (shop.plan()["steps"] as Data[]).map(
    (step) => `${step["anchor"]} ${step["status"]}${step["commit_hash"] ? " with its commit" : ""}`,
  );

function finishAll(shop: Workshop, ...steps: readonly string[]): void {
  for (const step of steps) shop.finish(".", step, "--commit", "HEAD");
}

// proves G-edited-plans-are-noticed
describe("steps that share their words", () => {
  it.each([
    ["deleted", todo(PRINTER), ["write-the-code pending", "write-tests pending"]],
    [
      "moved behind a new one",
      todo(section("Lexer", "- [ ] Write the code", "- [ ] Write tests"), PARSER.replaceAll("[ ]", "[x]")),
      [
        "lexer-write-the-code pending",
        "lexer-write-tests pending",
        "parser-write-the-code completed with its commit",
        "parser-write-tests completed with its commit",
      ],
    ],
  ])("never take over what was done in another section that is %s", (_, text, expected) => {
    const shop = workshop(todo(PARSER, PRINTER));
    finishAll(shop, "parser-write-the-code", "parser-write-tests");
    readAgain(shop, text);
    expect(statuses(shop)).toEqual(expected);
    expect(file(shop)).toBe(text);
  });

  it("keep what was done in their own, whatever becomes of the others", () => {
    const shop = workshop(todo(PARSER, PRINTER));
    finishAll(shop, "parser-write-the-code", "parser-write-tests", "printer-write-the-code");
    ok(shop.json("state", "hold", PLAN, "printer-write-tests", "--reason", "wait"));
    const done = file(shop).slice(file(shop).indexOf("## Printer"));
    const answer = readAgain(shop, `# Todo\n\n${done}`);
    expect(answer).toMatchObject({
      kept_steps: ["write-the-code", "write-tests"],
      dropped_steps: [{ anchor: "parser-write-the-code" }, { anchor: "parser-write-tests" }],
    });
    expect(statuses(shop)).toEqual(["write-the-code completed with its commit", "write-tests on_hold"]);
  });

  it("are another plan under another heading, and no box is ticked before a person decides", () => {
    const shop = workshop(todo(PARSER));
    finishAll(shop, "write-the-code");
    shop.repository.write(PLAN, todo(PRINTER));
    expect(ok(shop.claim("."))["anchor"]).toBe("write-tests");
    expect(statuses(shop)).toEqual(["write-the-code completed with its commit", "write-tests claimed"]);
    expect(file(shop)).toBe(todo(PRINTER));
    ok(shop.json("state", "release", PLAN, "write-tests", "--worktree", "."));
    readAgain(shop, todo(PRINTER));
    expect(statuses(shop)).toEqual(["write-the-code pending", "write-tests pending"]);
  });

  it("stay finished where the ticked box moved to another section", () => {
    const shop = workshop(todo(PARSER));
    finishAll(shop, "write-the-code");
    readAgain(shop, todo(section("Done", "- [x] Write the code"), section("Parser", "- [ ] Write tests")));
    expect(statuses(shop)).toEqual(["write-the-code completed with its commit", "write-tests pending"]);
  });

  it.each(["- [ ] Write tests", "- [ ] 1.1 Write tests", "- [ ] T001 Write tests"])(
    "and their section too are refused with both lines: %s",
    async (box) => {
      const shop = runShop([]);
      const text = todo(section("Parser", box, "- [ ] Other", box));
      shop.repo.write(PLAN, text);
      shop.repo.git("add", "-A");
      shop.repo.git("commit", "-q", "-m", "a plan");
      for (const args of [
        ["plan", "check", PLAN],
        ["state", "init", PLAN],
        ["run", PLAN, ...AGENT],
      ]) {
        const run = shop.pawl(...args);
        expect(run.code).not.toBe(0);
        expect(`${run.stdout}${run.stderr}`).toMatch(/plan\.md:7[\s\S]*stands in line 5 too/);
      }
      expect(shop.starts("write-tests")).toBe(0);
    },
  );
});

describe("steps that get other numbers", () => {
  const BEFORE = "## 1. Parser\n\n- [ ] 1.1 Read version\n- [ ] 1.2 Read length\n";
  const AFTER = "## 1. Parser\n\n- [ ] 1.1 Read magic\n- [x] 1.2 Read version\n- [ ] 1.3 Read length\n";

  it("stay finished, and the number's new step is not", () => {
    const shop = workshop(BEFORE);
    finishAll(shop, "1.1");
    const answer = readAgain(shop, AFTER);
    expect(answer).toMatchObject({ kept_steps: ["1.2"], dropped_steps: [] });
    expect(statuses(shop)).toEqual(["1.1 pending", "1.2 completed with its commit", "1.3 pending"]);
    expect(file(shop)).toBe(AFTER);
  });

  it("are not ticked under their old number before the plan is read again", () => {
    const shop = workshop(BEFORE);
    finishAll(shop, "1.1");
    shop.repository.write(PLAN, AFTER);
    ok(shop.json("doctor", "--fix"));
    expect(file(shop)).toBe(AFTER);
  });

  it("keep a step of a plan without boxes finished, too", () => {
    const step = (number: number, title: string) => `#### Step ${number}: ${title}\n\nwords\n\n`;
    const shop = workshop(`# P\n\n${step(1, "Dig")}${step(2, "Build")}`);
    finishAll(shop, "step-1");
    readAgain(shop, `# P\n\n${step(1, "Measure")}${step(2, "Dig")}${step(3, "Build")}`);
    expect(statuses(shop)).toEqual(["step-1 pending", "step-2 completed with its commit", "step-3 pending"]);
  });
});

it("keeps what was done under names that an older Pawl made by the order of the boxes", () => {
  const shop = workshop(todo(PARSER, PRINTER));
  finishAll(shop, "parser-write-the-code", "parser-write-tests", "printer-write-the-code");
  const before = {
    "parser-write-the-code": "write-the-code",
    "parser-write-tests": "write-tests",
    "printer-write-the-code": "write-the-code-2",
    "printer-write-tests": "write-tests-2",
  };
  withDatabase(shop.database, (connection) => {
    connection.exec("pragma foreign_keys = off; update steps set content_hash = 'of before'");
    connection.exec(
      "update plans set plan_hash = 'of before'; update plan_snapshots set plan_hash = 'of before'",
    );
    for (const [now, then] of Object.entries(before))
      connection.exec(`update steps set anchor = '${then}' where anchor = '${now}';
        update step_deps set step_anchor = '${then}' where step_anchor = '${now}';
        update step_deps set depends_on = '${then}' where depends_on = '${now}';
        update commit_intents set anchor = '${then}' where anchor = '${now}';`);
  });
  const text = file(shop);
  expect(ok(shop.claim("."))["anchor"]).toBe("printer-write-tests");
  ok(shop.json("state", "release", PLAN, "printer-write-tests", "--worktree", "."));
  expect(statuses(shop)).toEqual([
    "parser-write-the-code completed with its commit",
    "parser-write-tests completed with its commit",
    "printer-write-the-code completed with its commit",
    "printer-write-tests pending",
  ]);
  expect(file(shop)).toBe(text);
});
