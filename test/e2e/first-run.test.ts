import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { atTerminal } from "../support/terminal.ts";
import { ok, workshop, type Workshop } from "../support/workshop.ts";

/** Programs of these names are on PATH, before whatever the machine has. */
function withPrograms(shop: Workshop, ...names: readonly string[]): { readonly PATH: string } {
  const bin = join(shop.home, "../bin");
  mkdirSync(bin, { recursive: true });
  for (const name of names) {
    writeFileSync(join(bin, name), "#!/bin/sh\necho 1.0.0\n");
    chmodSync(join(bin, name), 0o755);
  }
  return { PATH: [bin, process.env["PATH"] ?? ""].join(delimiter) };
}

const settingsOf = ({ home }: Workshop): unknown => parse(readFileSync(join(home, "pawl.toml"), "utf8"));

/** A Node project: `npm test` checks it, and `npm ci` prepares a checkout. */
function nodeProject(shop: Workshop): void {
  shop.repository.write("package.json", JSON.stringify({ scripts: { test: "vitest" } }));
  shop.repository.write("package-lock.json", "{}");
}

describe("pawl init", () => {
  it("asks at a terminal and writes the answers; Enter takes what it found", async () => {
    const shop = workshop(null);
    nodeProject(shop);
    const terminal = atTerminal({ cwd: shop.home, env: withPrograms(shop, "claude", "codex") }, "init");
    await terminal.sees("[claude]: ");
    terminal.press("codex\r");
    await terminal.sees("Check that every step must pass (from package.json) [npm test]: ");
    terminal.press("\r");
    await terminal.sees("Setup of a new worktree (from package-lock.json) [npm ci]: ");
    terminal.press("npm ci && npm run build\r");
    expect(await terminal.ended).toBe(0);
    expect(settingsOf(shop)).toEqual({
      agent: "codex",
      worktree_setup: ["sh", "-c", "npm ci && npm run build"],
      verify: { command: ["npm", "test"] },
    });
    expect(readFileSync(join(shop.home, "pawl.toml"), "utf8")).toMatch(/^#:schema https:/);
  });

  it("writes nothing when the person leaves with Ctrl-D", async () => {
    const shop = workshop(null);
    const terminal = atTerminal({ cwd: shop.home }, "init");
    await terminal.sees("]: ");
    terminal.press("\u0004");
    expect(await terminal.ended).toBe(6);
    expect(terminal.shown()).toContain("Nothing was written.");
    expect(shop.repository.git("status", "--porcelain")).toBe("");
  });

  it("takes what it found without a terminal and says so, and never overwrites a file", () => {
    const shop = workshop(null);
    nodeProject(shop);
    const env = withPrograms(shop, "claude");
    expect(ok(shop.jsonWith({ env }, "init"))).toMatchObject({
      asked: false,
      agent: "claude",
      check: ["npm", "test"],
      worktree_setup: ["npm", "ci"],
      settings_created: true,
    });
    const written = readFileSync(join(shop.home, "pawl.toml"), "utf8");
    expect(settingsOf(shop)).toMatchObject({ agent: "claude", verify: { command: ["npm", "test"] } });
    expect(shop.text("init", "--yes").stdout).toContain("Found pawl.toml; it stays as it is.");
    expect(readFileSync(join(shop.home, "pawl.toml"), "utf8")).toBe(written);
  });
});
