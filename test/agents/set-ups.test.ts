import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { PAWL } from "../support/cli.ts";
import { ok, type Workshop, workshop } from "../support/workshop.ts";
import { programOf, type ReleasedAgent } from "./installed-agents.ts";

/** What `pawl hooks install` writes, read and printed anew by the released programs. No model is asked. */

interface Place {
  readonly shop: Workshop;
  /** Runs the released program in the repository, with a home of its own. */
  readonly run: (
    name: ReleasedAgent,
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ) => string;
}

function placeWithAll(): Place {
  const shop = workshop(null);
  const outside = join(shop.home, "..");
  for (const folder of ["bin", "home", "home/.codex"]) mkdirSync(join(outside, folder));
  symlinkSync(PAWL, join(outside, "bin/pawl"));
  // Codex and Gemini read the settings of projects that their person trusts.
  writeFileSync(
    join(outside, "home/.codex/config.toml"),
    `[projects.${JSON.stringify(shop.home)}]\ntrust_level = "trusted"\n`,
  );
  ok(shop.json("hooks", "install"));
  return {
    shop,
    run(name, args, env = {}) {
      const { status, stdout, stderr } = spawnSync(programOf(name), [...args], {
        cwd: shop.home,
        env: {
          PATH: [join(outside, "bin"), process.env["PATH"]].join(delimiter),
          HOME: join(outside, "home"),
          GEMINI_CLI_TRUST_WORKSPACE: "true",
          ...env,
        },
        encoding: "utf8",
        timeout: 120_000,
      });
      expect(status, `${stdout}${stderr}`).toBe(0);
      return `${stdout}${stderr}`;
    },
  };
}

describe("what is installed", () => {
  it("is read by the released programs", () => {
    const { run } = placeWithAll();
    const [server] = JSON.parse(run("codex", ["mcp", "list", "--json"]).replace(/\nWARNING[^]*$/, "")) as [
      { name: string; enabled: boolean; transport: object },
    ];
    expect(server).toMatchObject({
      name: "pawl",
      enabled: true,
      transport: { type: "stdio", command: "pawl", args: ["mcp"] },
    });
    // Gemini starts the server and shakes hands with it.
    expect(run("gemini", ["mcp", "list"])).toMatch(/pawl: pawl mcp \(stdio\) - Connected/);
    // Claude Code asks its person before it starts a server of a project.
    expect(run("claude", ["mcp", "list"])).toMatch(/pawl: pawl mcp/);
  });

  it("is known again after they have printed their settings anew", () => {
    const { shop, run } = placeWithAll();
    run("gemini", ["mcp", "add", "-s", "project", "other", "true"]);
    run("claude", ["mcp", "add", "-s", "project", "other", "true"]);
    run("codex", ["mcp", "add", "other", "--", "true"], { CODEX_HOME: join(shop.home, ".codex") });
    const texts = () =>
      [".gemini/settings.json", ".mcp.json", ".codex/config.toml"].map((name) =>
        readFileSync(join(shop.home, name), "utf8"),
      );
    const printed = texts();
    for (const text of printed) expect(text).toMatch(/pawl[^]*other/);
    const again = ok(shop.json("hooks", "install"))["files"] as { installed: boolean; changed: boolean }[];
    expect(again.every(({ installed, changed }) => installed && !changed)).toBe(true);
    expect(texts()).toEqual(printed);
    ok(shop.json("hooks", "uninstall"));
    for (const text of texts()) {
      expect(text).toContain("other");
      expect(text).not.toContain("pawl");
    }
    expect(run("gemini", ["mcp", "list"])).not.toMatch(/pawl:/);
    expect(run("codex", ["mcp", "list"])).not.toMatch(/^pawl\b/m);
  });
});
