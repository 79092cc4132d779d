import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { expect, it } from "vitest";
import { HOOK_EVENTS } from "../../src/cli/hooks/hook-events.ts";
import { TOOLS } from "../../src/mcp/tools/index.ts";
import { PAWL } from "../support/cli.ts";
import { cleanEnv } from "../support/repository.ts";
import { ok, workshop } from "../support/workshop.ts";

const PAGE = readFileSync(new URL("../../docs/agents.md", import.meta.url), "utf8");

it("sets every agent up when its shell blocks are pasted", () => {
  const shop = workshop(null);
  const bin = join(dirname(shop.home), "bin");
  mkdirSync(bin);
  symlinkSync(PAWL, join(bin, "pawl"));
  const blocks = [...PAGE.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
  expect(blocks).toHaveLength(3);
  const { status, stderr } = spawnSync("sh", ["-eu"], {
    cwd: shop.home,
    env: cleanEnv({ PATH: [bin, process.env["PATH"]].join(delimiter) }),
    input: blocks.join("\n"),
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const files = ok(shop.json("hooks", "status"))["files"] as { installed: boolean }[];
  expect(files.every(({ installed }) => installed)).toBe(true);
});

it("names every tool and every hook, and no other", () => {
  const rows = (pattern: RegExp) => [...PAGE.matchAll(pattern)].map(([, name]) => name);
  expect(rows(/^\| `(pawl_\w+)`/gm)).toEqual(TOOLS.map(({ name }) => name));
  const events = Object.entries(HOOK_EVENTS).map(([name, { event }]) => [event, name]);
  expect(
    [...PAGE.matchAll(/^\| `([A-Z]\w+)` +\| `([a-z-]+)`/gm)].map(([, event, name]) => [event, name]),
  ).toEqual(events);
});

it("is true that the SDK comes with nothing that is installed", () => {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  ) as { dependencies: Record<string, string>; devDependencies: Record<string, string> };
  expect(Object.keys(dependencies)).not.toContain("@modelcontextprotocol/sdk");
  expect(devDependencies["@modelcontextprotocol/sdk"]).toMatch(/^\d+\.\d+\.\d+$/);
});
