import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { agentEnvironment } from "./agent-environment.ts";

const SITUATION = { session: "s-1", worktree: "/w" };

const ask = (env: Record<string, string>, setting: string): string =>
  execFileSync("git", ["config", "--get", setting], { env, encoding: "utf8" }).trim();

const PLAIN = { PATH: process.env["PATH"], GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };

it("has an agent's git flush everything that it writes", () => {
  const given = agentEnvironment(PLAIN, SITUATION);
  expect(given).toMatchObject({
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.fsync",
    GIT_CONFIG_VALUE_0: "all",
  });
  expect(ask(given, "core.fsync")).toBe("all");
});

it("gives the variables that SECURITY.md names, and no others of Pawl's", () => {
  const situation = { ...SITUATION, plan: "plan.md", step: "step-1", claim: 1, portBase: 12_300 };
  const given = Object.keys(agentEnvironment({ ...PLAIN, PAWL_DATABASE_URL: "postgres://db" }, situation));
  const page = readFileSync(new URL("../../../../SECURITY.md", import.meta.url), "utf8");
  const [agents = ""] = /^- \*\*Agents\.\*\*[^.]*\./m.exec(page) ?? [];
  const named = [...agents.matchAll(/`(PAWL_[A-Z_]+)`/g)].map(([, name = ""]) => name);
  expect(given.filter((name) => name.startsWith("PAWL_")).toSorted()).toEqual(named.toSorted());
});

it("says which ports are meant for the worker, and nothing of those of a run around it", () => {
  const outer = { ...PLAIN, PAWL_PORT_BASE: "99" };
  expect(agentEnvironment(outer, { ...SITUATION, portBase: 12_300 })["PAWL_PORT_BASE"]).toBe("12300");
});

it("keeps the settings that the user gave git by environment", () => {
  const given = agentEnvironment(
    {
      ...PLAIN,
      GIT_CONFIG_COUNT: "2",
      GIT_CONFIG_KEY_0: "core.fsync",
      GIT_CONFIG_VALUE_0: "none",
      GIT_CONFIG_KEY_1: "user.name",
      GIT_CONFIG_VALUE_1: "A. User",
      GIT_CONFIG_KEY_7: "counted.by",
      GIT_CONFIG_VALUE_7: "nothing",
    },
    SITUATION,
  );
  expect(given["GIT_CONFIG_COUNT"]).toBe("3");
  expect(ask(given, "user.name")).toBe("A. User");
  expect(ask(given, "core.fsync")).toBe("all");
  expect(Object.keys(given).filter((name) => name.endsWith("_7"))).toEqual([]);
});

it.each(["x", "-1", "1.5", ""])("takes a count of %j, which git refuses, for none", (count) => {
  const given = agentEnvironment({ ...PLAIN, GIT_CONFIG_COUNT: count }, SITUATION);
  expect(given["GIT_CONFIG_COUNT"]).toBe("1");
  expect(ask(given, "core.fsync")).toBe("all");
});
