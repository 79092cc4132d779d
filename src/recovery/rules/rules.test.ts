import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { diagnose, RULES } from "./rules.ts";
import type { Rule } from "./rule.ts";
import { REPAIRS } from "./repairs.ts";
import { everySituation, type Seen, type SeenOf, SPACE } from "./situation.ts";

/** Said again in other words than the rules have: what needs no person's help. */
const HEALTHY: { readonly [K in Seen["kind"]]: (seen: SeenOf<K>) => boolean } = {
  step({ now: { status, holder, proof, inFile, activity } }) {
    if (status === "completed") return true;
    if (status === "blocked" || status === "on_hold") return false;
    if (holder === "living") return true;
    if (proof === "commit") return false;
    if (status === "pending") return inFile === "same" || (inFile === "in-progress" && activity === "recent");
    return status !== "awaiting_verification" && holder === "resumable";
  },
  session({ now: { state, resumable, host, superseded, agent } }) {
    if (host === "elsewhere" || state === "running" || state === "over") return true;
    return state === "interrupted" && agent === "gone" && (resumable === "no" || superseded === "yes");
  },
  worktree({ now: { folder, plan, use } }) {
    if (folder === "damaged") return use === "busy";
    return use !== "free" || (folder === "there" && plan !== "gone");
  },
  objects: ({ now: { state } }) => state === "whole",
  branch: ({ now: { tip, use } }) => tip === "whole" || use === "busy",
  landed: ({ now: { commit } }) => commit === "whole",
  full: ({ now: { check } }) => check === "passes",
  edit: () => false,
  plan: ({ now: { file } }) => file === "as-read",
  file: ({ now: { text } }) => text === "readable",
};

const isHealthy = (seen: Seen): boolean => (HEALTHY[seen.kind] as (seen: Seen) => boolean)(seen);

const ALL = [...everySituation()];

const NAMED: readonly [string, Rule][] = Object.entries(RULES);

/** Many situations get the same answer: one finding for each that differs in what is done or offered. */
const DIFFERENT = [
  ...new Map(
    diagnose(ALL).map((finding) => [
      [finding.rule, finding.automatic?.do, ...(finding.choices ?? []).map((choice) => choice.do)].join(" "),
      finding,
    ]),
  ).values(),
];

describe("the rules", () => {
  it("own every situation that is not healthy, each exactly one of them", () => {
    const unowned: unknown[] = [];
    const meddled: unknown[] = [];
    const contested: unknown[] = [];
    for (const seen of ALL) {
      const owners = NAMED.filter(([, rule]) => rule.diagnose(seen)).map(([name]) => name);
      if (owners.length === 0 && !isHealthy(seen)) unowned.push(seen.now);
      if (owners.length > 0 && isHealthy(seen)) meddled.push({ owners, ...seen.now });
      if (owners.length > 1) contested.push({ owners, ...seen.now });
    }
    expect({ unowned, meddled, contested }).toEqual({ unowned: [], meddled: [], contested: [] });
    const sizes = Object.values(SPACE).map((ranges) =>
      Object.values(ranges).reduce((size, range: readonly string[]) => size * range.length, 1),
    );
    expect(ALL.length).toBe(sizes.reduce((sum, size) => sum + size, 0));
    expect(ALL.length).toBeGreaterThan(15_000);
  });

  it("each have something to own", () => {
    for (const [, rule] of NAMED) expect(ALL.some((seen) => rule.diagnose(seen) !== undefined)).toBe(true);
  });

  it("never do by themselves what a person decides, and never offer one key twice", () => {
    for (const { rule, automatic, choices = [] } of DIFFERENT) {
      const keys = choices.map(({ key }) => key);
      expect({ rule, keys: new Set(keys).size }).toEqual({ rule, keys: keys.length });
      for (const choice of choices) {
        expect(choice.key).toBe(REPAIRS[choice.do].key);
        expect(REPAIRS[choice.do].label).toContain(`[${choice.key}]`);
      }
      // Only what decides nothing may be done before a person is asked.
      expect(automatic === undefined || choices.length === 0 || automatic.do === "stop-agent").toBe(true);
      if (automatic)
        expect([
          "verify",
          "escalate",
          "complete",
          "release",
          "mark-interrupted",
          "stop-agent",
          "write-pending",
          "rebuild",
          "set-aside",
          "move-back",
          "bring-back",
        ]).toContain(automatic.do);
    }
  });

  it("ask with the keys that people know", () => {
    const keysOf = (name: string) =>
      new Set(
        diagnose(ALL)
          .filter(({ rule }) => rule === name)
          .flatMap(({ choices = [] }) => choices.map(({ key }) => key)),
      );
    expect([...keysOf("agent-timed-out")]).toEqual(["R", "B", "S"]);
    expect([...keysOf("landing-rejected")]).toEqual(["R", "H", "S"]);
    expect([...keysOf("stale-in-progress")]).toEqual(["C", "P", "H"]);
    expect([...keysOf("interrupted-session")]).toEqual(["R", "A", "S"]);
  });

  it("choose without a person only what they offer and what loses nothing", () => {
    const chosen = DIFFERENT.flatMap(({ rule, choices = [] }) => {
      const { unasked }: Rule = RULES[rule];
      return unasked === undefined || choices.length === 0 ? [] : [{ rule, unasked, choices }];
    });
    expect(chosen.map(({ rule, unasked }) => ({ rule, unasked }))).toEqual([
      { rule: "stale-in-progress", unasked: "continue" },
    ]);
    for (const { unasked, choices } of chosen) expect(choices.map((one) => one.do)).toContain(unasked);
  });

  it("never touch what a living process holds", () => {
    const touched = diagnose(ALL).filter(
      ({ seen }) =>
        seen.kind === "step" &&
        seen.now.holder === "living" &&
        ["claimed", "in_progress", "awaiting_verification", "pending"].includes(seen.now.status),
    );
    expect(touched).toEqual([]);
  });

  it("say what the page offers only where some of their findings only report", () => {
    const silent = new Set(
      diagnose(ALL)
        .filter(({ automatic, choices }) => automatic === undefined && choices === undefined)
        .map(({ rule }): string => rule),
    );
    const reporting = NAMED.filter(([, { reported }]) => reported).map(([name]) => name);
    expect(reporting.filter((name) => !silent.has(name))).toEqual([]);
  });

  it("are reported and repaired in one order, whatever order things were found in", () => {
    const findings: readonly string[] = diagnose(ALL).map(({ rule }) => rule);
    const order = Object.keys(RULES);
    expect(findings.map((name) => order.indexOf(name))).toEqual(
      findings.map((name) => order.indexOf(name)).toSorted((a, b) => a - b),
    );
  });

  it("have every file of the folder, and nothing else", () => {
    const shared = [
      "index",
      "repairs",
      "rule",
      "rule-reference",
      "rules",
      "situation",
      "verify-or-ask",
      "words",
    ];
    const files = readdirSync(new URL(".", import.meta.url))
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .map((name) => name.replace(".ts", ""));
    expect(files.toSorted()).toEqual([...shared, ...Object.keys(RULES)].toSorted());
  });
});
