import { expect, it } from "vitest";
import type { Commands, SandboxTools } from "../platform/ports/index.ts";
import { installedAgents } from "./installed-agents.ts";

const TOOLS: SandboxTools = {
  system: "linux",
  bubblewrap: undefined,
  bubblewrapProblem: "bubblewrap is not installed",
  hasSocat: true,
};

it("asks programs for their versions while it tries the sandbox", async () => {
  let asked = 0;
  let allAsked: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    allAsked = resolve;
  });
  const commands = {
    find: () => ({ claude: "/bin/claude", codex: "/bin/codex" }),
    version: () => undefined,
    run: ([path = ""]: readonly string[]) => {
      asked += 1;
      if (asked === 2) allAsked();
      return Promise.resolve({ ok: true, ending: "", output: `${path} 1.2.3\n` });
    },
  } satisfies Commands;
  // It is ready only once every program was asked.
  const sandbox = { tools: () => begun.then(() => TOOLS) };
  const ports = {
    settings: {},
    settingsFile: "/repo/pawl.toml",
    commands: () => Promise.resolve(commands),
    sandbox: () => Promise.resolve(sandbox),
    repository: { topLevel: "/repo" },
  } as unknown as Parameters<typeof installedAgents>[0];
  const { agents } = await installedAgents(ports, {});
  expect(agents.map(({ name, version, profile }) => [name, version, profile])).toEqual([
    ["claude", "1.2.3", "edits"],
    ["codex", "1.2.3", "sandboxed"],
  ]);
});
