import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { HOOK_EVENTS } from "../../src/cli/hooks/hook-events.ts";
import { TOOLS } from "../../src/mcp/tools/index.ts";

const PAGE = readFileSync(new URL("../../docs/agents.md", import.meta.url), "utf8");

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
