import { expect, it } from "vitest";
import type { Settings } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { GIT_CHECKS } from "./check-git-side.ts";

/** What `doctor` says about agents where only some programs are there. */
function said(settings: Settings, there: readonly string[]) {
  const find = (names: readonly string[]) =>
    Object.fromEntries(
      names.filter((name) => there.includes(name)).map((name) => [name, `/usr/bin/${name}`]),
    );
  const ports = {
    settings,
    settingsFile: "/repo/pawl.toml",
    repository: { mainTopLevel: "/repo", topLevel: "/repo" },
    commands: async () => ({ find }),
  } as unknown as Ports;
  return GIT_CHECKS.agents.run({
    ports,
    database: undefined as never,
    opened: undefined as never,
    fix: false,
    full: false,
    fixed: [],
  });
}

const mine = {
  agent: "mine",
  tables: { agents: { mine: { preset: "command", program: ["./scripts/mine"] } } },
};

it("does not miss an agent on PATH where pawl.toml names a program that is there", async () => {
  expect(await said(mine, ["./scripts/mine"])).toMatchObject({
    status: "pass",
    message: "Installed: mine (./scripts/mine).",
  });
});

it("names the agent that pawl.toml chooses and that is not installed", async () => {
  expect(await said({ agent: "codex" }, ["claude"])).toMatchObject({
    status: "warn",
    message: "pawl.toml names the agent codex, but codex is not on PATH.",
  });
});

it("says what to do where no agent is installed, and lists those that are", async () => {
  expect(await said({}, [])).toMatchObject({
    status: "warn",
    message: expect.stringContaining("No agent is installed."),
  });
  expect(await said({}, ["claude", "codex"])).toMatchObject({
    status: "pass",
    message: "Installed: claude, codex.",
  });
});
