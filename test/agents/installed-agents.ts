import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type PresetName = "claude" | "codex" | "gemini";

export interface InstalledAgents {
  readonly program: (name: PresetName) => string;
  readonly version: (name: PresetName) => string;
  readonly remove: () => void;
}

const PACKAGES = ["@anthropic-ai/claude-code", "@openai/codex", "@google/gemini-cli"];

/**
 * The released agents, from npm, in a throw-away folder.
 *
 * They are far too large to be dependencies. `PAWL_TEST_AGENTS` names a folder that has them already.
 */
export function installedAgents(): InstalledAgents {
  const given = process.env["PAWL_TEST_AGENTS"];
  const folder = given ?? realpathSync(mkdtempSync(join(tmpdir(), "pawl-agents-")));
  if (given === undefined) {
    const args = ["install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", ...PACKAGES];
    execFileSync("npm", args, { stdio: ["ignore", "ignore", "inherit"] });
  }
  const program = (name: PresetName): string => {
    if (name !== "claude") return join(folder, "node_modules/.bin", name);
    // The package's own start file needs an install script; the program for this platform lies beside it.
    const scope = join(folder, "node_modules/@anthropic-ai");
    const found = readdirSync(scope)
      .map((each) => join(scope, each, "claude"))
      .find((path) => existsSync(path));
    if (found === undefined) throw new Error(`no claude for this platform under ${scope}`);
    return found;
  };
  return {
    program,
    version: (name) =>
      execFileSync(program(name), ["--version"], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
        env: { PATH: process.env["PATH"], HOME: folder },
      }).trim(),
    remove: () => {
      if (given === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
