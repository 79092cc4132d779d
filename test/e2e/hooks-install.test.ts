import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { worldOf } from "../support/world.ts";
import { ok, refused, workshop } from "../support/workshop.ts";

const BEFORE = {
  ".claude/settings.json": '{\n  "permissions": { "allow": ["Bash"] },\n  "hooks": { "Stop": [] }\n}\n',
  "AGENTS.md": "# Rules of the house\r\n\r\nBe kind.",
  ".gemini/settings.json": '{\n  // dark, please\n  "theme": "dark",\n}\n',
  ".codex/config.toml": "model = 'x' # mine",
  "GEMINI.md": "",
};

it("sets agents up and takes it back, byte for byte", () => {
  const shop = workshop(null);
  for (const [name, text] of Object.entries(BEFORE)) shop.repository.write(name, text);
  const before = worldOf(shop.repository).files;
  expect(
    ok(shop.json("hooks", "status"))["files"].every((file: { installed: boolean }) => !file.installed),
  ).toBe(true);
  expect(ok(shop.json("hooks", "install"))["files"]).toHaveLength(6);
  const read = (name: string) => readFileSync(join(shop.home, name), "utf8");
  expect(JSON.parse(read(".mcp.json"))).toEqual({
    mcpServers: { pawl: { type: "stdio", command: "pawl", args: ["mcp"] } },
  });
  expect(read(".claude/settings.json")).toContain("pawl hook stop || true");
  expect(read("AGENTS.md")).toContain("pawl prime");
  const installed = worldOf(shop.repository).files;
  const again = ok(shop.json("hooks", "install"))["files"] as { changed: boolean; installed: boolean }[];
  expect(again.every(({ changed, installed: is }) => is && !changed)).toBe(true);
  expect(worldOf(shop.repository).files).toEqual(installed);
  ok(shop.json("hooks", "uninstall"));
  expect(worldOf(shop.repository).files).toEqual(before);
  expect(existsSync(join(shop.home, ".mcp.json"))).toBe(false);
  ok(shop.json("hooks", "uninstall"));
  expect(worldOf(shop.repository).files).toEqual(before);
});

it("changes nothing at all when one file is not what it should be", () => {
  const shop = workshop(null);
  shop.repository.write(".mcp.json", "{ broken");
  const before = worldOf(shop.repository).files;
  refused(shop.json("hooks", "install", "claude"), "E270", 2);
  expect(worldOf(shop.repository).files).toEqual(before);
  shop.repository.write(".mcp.json", new Uint8Array([0xff, 0xfe, 0x7b]));
  refused(shop.json("hooks", "install"), "E270", 2);
  refused(shop.json("hooks", "install", "cursor"), "E066", 2);
  ok(shop.json("hooks", "install", "codex"));
});
