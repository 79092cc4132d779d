import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { gitEnvironment, networkVariables } from "./git-environment.ts";

it("drops every variable that ties git to a repository, by git's own list", () => {
  const names = execFileSync("git", ["rev-parse", "--local-env-vars"], { encoding: "utf8" })
    .trim()
    .split("\n");
  expect(names.length).toBeGreaterThan(10);
  const kept = gitEnvironment(Object.fromEntries(names.map((name) => [name, "poison"])));
  expect(Object.values(kept)).not.toContain("poison");
});

it.each([
  "GIT_TRACE",
  "GIT_TRACE2_EVENT",
  "GIT_CONFIG_KEY_0",
  "GIT_SSH_COMMAND",
  "GIT_EXTERNAL_DIFF",
  "GIT_PAGER",
  "GIT_CEILING_DIRECTORIES",
  "GIT_NAMESPACE",
  "GIT_FUTURE_VARIABLE",
  "git_dir",
])("drops %s", (name) => {
  expect(gitEnvironment({ [name]: "poison" })).not.toHaveProperty(name);
});

it.each(["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"])("keeps %s", (name) => {
  expect(gitEnvironment({ [name]: "/home/a/settings" })).toHaveProperty(name, "/home/a/settings");
});

it("keeps the rest, and who the author is", () => {
  const kept = gitEnvironment({ PATH: "/bin", HOME: "/home/a", GIT_AUTHOR_NAME: "A", NOTHING: undefined });
  expect(kept).toMatchObject({
    PATH: "/bin",
    HOME: "/home/a",
    GIT_AUTHOR_NAME: "A",
    GIT_OPTIONAL_LOCKS: "0",
  });
  expect(kept).not.toHaveProperty("NOTHING");
});

it("keeps how the user reaches other machines for commands that do", () => {
  const env = { GIT_SSH_COMMAND: "ssh -i key", GIT_ASKPASS: "/bin/ask", GIT_DIR: "/elsewhere", PATH: "/bin" };
  expect(networkVariables(env)).toEqual({ GIT_SSH_COMMAND: "ssh -i key", GIT_ASKPASS: "/bin/ask" });
  expect(networkVariables({})).toEqual({});
});
