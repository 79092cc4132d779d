import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { agentsFolder } from "./install.mjs";

export type ReleasedAgent = "claude" | "codex" | "gemini" | "opencode" | "copilot" | "qwen";

/** Some packages' start files need an install script; the program for this platform is in a package beside theirs. */
const NATIVE: Partial<
  Record<ReleasedAgent, { readonly scope: string; readonly from: string; readonly path: string }>
> = {
  claude: { scope: "@anthropic-ai", from: "claude-code-", path: "claude" },
  opencode: { scope: "", from: `opencode-${process.platform}-${process.arch}`, path: "bin/opencode" },
};

/** Where a released agent's program is. `test/agents/install.mjs` brought it. */
export function programOf(name: ReleasedAgent): string {
  const folder = join(agentsFolder(), "node_modules");
  const native = NATIVE[name];
  if (native === undefined) return join(folder, ".bin", name);
  const scope = join(folder, native.scope);
  const found = readdirSync(scope)
    .filter((each) => each.startsWith(native.from))
    .map((each) => join(scope, each, native.path))
    .find((path) => existsSync(path));
  if (found === undefined) throw new Error(`no ${name} for this platform below ${scope}`);
  return found;
}

export const versionOf = (name: ReleasedAgent): string =>
  execFileSync(programOf(name), ["--version"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    env: { PATH: process.env["PATH"], HOME: agentsFolder() },
  })
    .trim()
    .split("\n", 1)[0]!;
