import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
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
    mcpServers: { pawl: { type: "stdio", command: "pawl", args: ["mcp"], alwaysLoad: true } },
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

it("takes the folders that it made with it, and leaves one with anything else in it", () => {
  const shop = workshop(null);
  ok(shop.json("hooks", "install"));
  shop.repository.write(".gemini/mine.txt", "mine");
  ok(shop.json("hooks", "uninstall"));
  expect([".claude", ".codex", ".gemini"].filter((name) => existsSync(join(shop.home, name)))).toEqual([
    ".gemini",
  ]);
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

it("writes to where a link leads, keeps the link, and follows none to a file of another kind", () => {
  const shop = workshop(null);
  const at = (name: string) => join(shop.home, name);
  for (const folder of ["kept", ".claude", ".codex", ".gemini"]) {
    mkdirSync(at(folder));
    writeFileSync(at(`${folder}/note`), "mine");
  }
  writeFileSync(at("kept/mine.json"), '{"theme":"dark"}');
  symlinkSync("../kept/mine.json", at(".claude/settings.json"));
  writeFileSync(at("AGENTS.md"), "# Rules\n");
  symlinkSync("AGENTS.md", at("GEMINI.md"));
  const before = worldOf(shop.repository).files;
  ok(shop.json("hooks", "install"));
  expect(lstatSync(at(".claude/settings.json")).isSymbolicLink()).toBe(true);
  expect(lstatSync(at("GEMINI.md")).isSymbolicLink()).toBe(true);
  expect(readFileSync(at("kept/mine.json"), "utf8")).toContain("pawl hook stop");
  expect(readFileSync(at("AGENTS.md"), "utf8").match(/pawl: begin/g)).toHaveLength(1);
  ok(shop.json("hooks", "uninstall"));
  expect(worldOf(shop.repository).files).toEqual(before);

  writeFileSync(at("profile"), "export A=1\n");
  symlinkSync("kept/nowhere.json", at(".mcp.json"));
  refused(shop.json("hooks", "install", "claude"), "E345", 2);
  ok(shop.json("hooks", "status"));
  ok(shop.json("hooks", "uninstall"));
  symlinkSync("../profile", at(".gemini/settings.json"));
  refused(shop.json("hooks", "install", "gemini"), "E345", 2);
  expect(readFileSync(at("profile"), "utf8")).toBe("export A=1\n");
});

it("knows what it put in after other programs printed the files anew", () => {
  const shop = workshop(null);
  ok(shop.json("hooks", "install"));
  for (const name of [".claude/settings.json", ".mcp.json", ".gemini/settings.json"]) {
    const said = JSON.parse(readFileSync(join(shop.home, name), "utf8")) as unknown;
    shop.repository.write(name, JSON.stringify(said, null, 4));
  }
  shop.repository.write(".codex/config.toml", 'mcp_servers.pawl = { args = ["mcp"], command = "pawl" }\n');
  const printed = worldOf(shop.repository).files;
  const again = ok(shop.json("hooks", "install"))["files"] as { changed: boolean; installed: boolean }[];
  expect(again.every(({ changed, installed }) => installed && !changed)).toBe(true);
  expect(worldOf(shop.repository).files).toEqual(printed);
  const gone = ok(shop.json("hooks", "uninstall"))["files"] as { changed: boolean; installed: boolean }[];
  expect(gone.every(({ changed, installed }) => changed && !installed)).toBe(true);
  expect(readFileSync(join(shop.home, ".claude/settings.json"), "utf8")).not.toContain("pawl");
});
