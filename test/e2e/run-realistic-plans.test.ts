import { describe, expect, it } from "vitest";
import { realisticPlan, SHAPES } from "../support/realistic-plans.ts";
import { AGENT } from "../support/run-shop.ts";
import { specShop } from "../support/spec-shop.ts";

/** One of each shape, or as many as `PAWL_PLANS` says. */
const COUNT = Number(process.env["PAWL_PLANS"] ?? 1);

const seeds = Array.from({ length: COUNT }, (_, index) => index + 1);

const CONVERTED = "plan.md";
const TO_HEADED = ["--to", "headed", "--lossy", "--output", CONVERTED] as const;

describe.each(SHAPES)("plans of the shape %s", (shape) => {
  it.each(seeds)("are carried out: the whole text in each prompt, one commit for each task (%i)", (seed) => {
    const plan = realisticPlan(shape, seed);
    expect(plan.files.reduce((sum, { text }) => sum + text.length, 0)).toBeGreaterThan(38_000);
    const shop = specShop(undefined);
    for (const { path, text } of plan.files) shop.repo.write(path, text);
    if (plan.isImported) {
      const converted = shop.pawl("plan", "convert", plan.path, ...TO_HEADED);
      expect(converted).toMatchObject({ code: 0 });
    }
    shop.repo.git("add", "-A");
    shop.repo.git("commit", "-q", "-m", "the plan");
    shop.script({ runs: [[{ write: "work/{step}.txt" }, { tick: "prompt" }]] });
    const path = plan.isImported ? CONVERTED : plan.path;
    const { code, stderr, stdout } = shop.pawl("run", path, ...AGENT);
    expect({ code, stderr: stderr.slice(-2000), stdout: stdout.slice(-2000) }).toMatchObject({ code: 0 });

    for (const { anchor, sentences } of plan.steps) {
      const prompt = shop.prompt(anchor, 1).replaceAll(/\s+/g, " ");
      expect(sentences.filter((one) => !prompt.includes(one.replaceAll(/\s+/g, " ")))).toEqual([]);
      expect(shop.starts(anchor)).toBe(1);
    }
    const steps = shop.query("select anchor, status, commit_hash from steps where parent_anchor is null");
    expect(steps.map(({ status }) => status)).toEqual(plan.steps.map(() => "completed"));
    const commits = new Set(steps.map(({ commit_hash }) => commit_hash));
    expect(commits.size).toBe(plan.steps.length);
    const branch = shop.query("select branch from sessions where branch is not null")[0]!["branch"] as string;
    expect(shop.repo.git("rev-list", "--count", `main..${branch}`)).toBe(String(plan.steps.length));
  });
});
