import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOOK_EVENTS } from "../../src/cli/hooks/hook-events.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const json = (path: string) => JSON.parse(read(path));

const manifest = json("package.json");
const server = json("server.json");
const marketplace = json(".claude-plugin/marketplace.json");
const plugin = json("plugin/.claude-plugin/plugin.json");

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-packaging-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder for PATH in which these programs print how they were called, beside the few that scripts need. */
function pathWith(...names: readonly string[]): string {
  const bin = mkdtempSync(join(folder, "bin-"));
  for (const name of names) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho ${name} "$@"\n[ "$1" = run ] && exit 5\nexit 0\n`);
    chmodSync(join(bin, name), 0o755);
  }
  for (const name of ["bash", "sh", "mktemp", "tee", "tail", "sed", "rm"])
    for (const place of ["/bin", "/usr/bin"])
      if (!existsSync(join(bin, name)) && existsSync(join(place, name)))
        symlinkSync(join(place, name), join(bin, name));
  return bin;
}

describe("package.json", () => {
  it("says where the project lives and publishes with provenance", () => {
    expect(manifest.repository.url).toMatch(/^git\+https:\/\/github\.com\/[\w-]+\/pawl\.git$/);
    const [address] = /https:\/\/[^.]+\.com\/[\w-]+\/pawl/.exec(manifest.repository.url as string)!;
    expect(manifest.homepage).toBe(`${address}#readme`);
    expect(manifest.bugs.url).toBe(`${address}/issues`);
    expect(manifest.publishConfig).toEqual({ access: "public", provenance: true });
    expect(manifest.keywords.length).toBeGreaterThanOrEqual(5);
    expect(Object.keys(manifest.dependencies).length).toBeLessThanOrEqual(4);
  });
});

describe("server.json", () => {
  it("is what the MCP registry asks for", () => {
    expect(server.$schema).toMatch(
      /^https:\/\/static\.modelcontextprotocol\.io\/schemas\/[\d-]+\/server\.schema\.json$/,
    );
    expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    expect(server.name).toBe(manifest.mcpName);
    expect(server.description.length).toBeLessThanOrEqual(100);
    expect(server.packages).toEqual([
      {
        registryType: "npm",
        identifier: manifest.name,
        version: manifest.version,
        transport: { type: "stdio" },
        runtimeHint: "npx",
        packageArguments: [{ type: "positional", value: "mcp" }],
      },
    ]);
  });
});

describe("the marketplace", () => {
  it("names a plugin that is there, in the version of the package", () => {
    expect(marketplace.name).toMatch(/^[a-z0-9-]+$/);
    expect(marketplace.owner.name).not.toBe("");
    expect(marketplace.plugins).toHaveLength(1);
    const [{ name, source, version }] = marketplace.plugins;
    expect([name, version]).toEqual([plugin.name, manifest.version]);
    expect(json(join(source, ".claude-plugin/plugin.json"))).toEqual(plugin);
    for (const skill of ["implement", "work"])
      expect(read(join(source, `skills/${skill}/SKILL.md`))).toMatch(/^---\n(?:.*\n)*description: .+\n/);
  });

  it("starts everything through the plugin's launcher", () => {
    const { hooks } = json("plugin/hooks/hooks.json");
    const commands = Object.values(hooks as Record<string, { hooks: { command: string }[] }[]>).flatMap(
      (one) => one.flatMap((group) => group.hooks.map(({ command }) => command)),
    );
    expect(commands).toEqual(
      Object.keys(HOOK_EVENTS).map((name) => `sh "\${CLAUDE_PLUGIN_ROOT}/bin/pawl" hook ${name} || true`),
    );
    expect(json("plugin/.mcp.json").mcpServers.pawl).toEqual({
      type: "stdio",
      command: "sh",
      args: ["${CLAUDE_PLUGIN_ROOT}/bin/pawl", "mcp"],
      alwaysLoad: true,
    });
  });
});

describe("the launcher of the plugin", () => {
  const launch = (path: string, ...args: readonly string[]) =>
    spawnSync("/bin/sh", [join(root, "plugin/bin/pawl"), ...args], { encoding: "utf8", env: { PATH: path } });

  it("can be started", () => expect(statSync(join(root, "plugin/bin/pawl")).mode & 0o111).toBe(0o111));

  it("prefers the pawl on PATH", () => {
    expect(launch(pathWith("pawl", "npx"), "mcp").stdout).toBe("pawl mcp\n");
  });

  it("falls back to the published package in the plugin's own version", () => {
    expect(launch(pathWith("npx"), "mcp").stdout).toBe(`npx --yes pawl@${manifest.version} mcp\n`);
  });

  it("never downloads for a hook, and does nothing at each tool call", () => {
    const path = pathWith("npx");
    expect(launch(path, "hook", "stop").stdout).toBe(
      `npx --yes --offline pawl@${manifest.version} hook stop\n`,
    );
    expect(launch(path, "hook", "tool-use")).toMatchObject({ stdout: "", status: 0 });
  });

  it("says how to install it where neither is there", () => {
    const { status, stderr } = launch(pathWith(), "mcp");
    expect(status).toBe(127);
    expect(stderr).toContain("npm install -g pawl");
  });
});

describe("the action", () => {
  /** Runs what action.yml runs, with its inputs as GitHub passes them. */
  function act(path: string, inputs: Readonly<Record<string, string>>) {
    const output = join(mkdtempSync(join(folder, "out-")), "output");
    const run = spawnSync("bash", [join(root, "scripts/action.sh")], {
      encoding: "utf8",
      env: { PATH: path, GITHUB_OUTPUT: output, ...inputs },
    });
    return { ...run, output: existsSync(output) ? readFileSync(output, "utf8") : "" };
  }

  it("passes every input of action.yml to the script", () => {
    const yaml = read("action.yml");
    const inputs = [...yaml.matchAll(/\$\{\{ inputs\.([\w-]+) \}\}/g)].map(([, name]) => name!);
    expect(inputs).toEqual(["plan", "agent", "max-minutes", "max-cost", "version"]);
    for (const name of inputs) {
      expect(yaml).toMatch(new RegExp(`^  ${name}:$`, "m"));
      expect(read("scripts/action.sh")).toContain(`PAWL_ACTION_${name.toUpperCase().replace("-", "_")}`);
    }
  });

  it("runs the plan and hands on the exit code and the answer", () => {
    const { status, output, stdout } = act(pathWith("pawl"), {
      PAWL_ACTION_PLAN: "my plan.md",
      PAWL_ACTION_AGENT: "claude,codex",
      PAWL_ACTION_MAX_COST: "20",
    });
    expect(stdout).toBe("pawl run --json --agent=claude,codex --max-cost=20 -- my plan.md\n");
    expect(status).toBe(5);
    expect(output).toBe(
      "exit-code=5\nanswer=pawl run --json --agent=claude,codex --max-cost=20 -- my plan.md\n",
    );
  });

  it("fetches the package where pawl is not installed", () => {
    const { stdout } = act(pathWith("npx"), { PAWL_ACTION_PLAN: "plan.md", PAWL_ACTION_VERSION: "0.1.0" });
    expect(stdout).toBe("npx --yes --package pawl@0.1.0 pawl run --json -- plan.md\n");
  });

  it("takes an input for a word, never for a command", () => {
    const { stdout } = act(pathWith("pawl"), { PAWL_ACTION_PLAN: "$(touch canary); `touch canary`" });
    expect(stdout).toContain("-- $(touch canary); `touch canary`");
    expect(existsSync(join(root, "canary"))).toBe(false);
  });
});

describe("the check before a release", () => {
  const FILES = [
    "package.json",
    "package-lock.json",
    "server.json",
    "CHANGELOG.md",
    "plugin/bin/pawl",
    "plugin/.claude-plugin/plugin.json",
    ".claude-plugin/marketplace.json",
  ];

  function check(tag: string, change: (path: string, text: string) => string) {
    const copy = mkdtempSync(join(folder, "release-"));
    for (const path of FILES) {
      mkdirSync(dirname(join(copy, path)), { recursive: true });
      cpSync(join(root, path), join(copy, path));
      writeFileSync(join(copy, path), change(path, read(path)));
    }
    const env = { ...process.env, PAWL_RELEASE_ROOT: copy };
    return spawnSync(process.execPath, [join(root, "scripts/check-release.mjs"), tag], {
      encoding: "utf8",
      env,
    });
  }

  const ready = (path: string, text: string): string =>
    path === "CHANGELOG.md" ? `${text}\n## ${manifest.version}\n` : text.replaceAll("OWNER", "someone");

  it("passes where everything agrees", () => {
    expect(check(`v${manifest.version}`, ready)).toMatchObject({ stderr: "", status: 0 });
  });

  it("refuses the placeholder, another tag and one version that was forgotten", () => {
    expect(check(`v${manifest.version}`, (_path, text) => text).stderr).toContain("placeholder OWNER");
    expect(check("v9.9.9", ready).stderr).toContain("the tag says 9.9.9");
    const forgotten = check(`v${manifest.version}`, (path, text) =>
      path === "plugin/bin/pawl" ? text.replace(/^version=.*/m, "version=0.0.9") : ready(path, text),
    );
    expect(forgotten).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("plugin/bin/pawl says 0.0.9"),
    });
  });
});

describe("the workflows and the container", () => {
  it("name only scripts and files that exist", () => {
    for (const path of [".github/workflows/release.yml", ".github/workflows/test.yml"]) {
      const text = read(path);
      for (const [, script] of text.matchAll(/npm run ([\w:]+)/g))
        expect(manifest.scripts).toHaveProperty([script!]);
      for (const [, file] of text.matchAll(/node (scripts\/\S+)/g))
        expect(existsSync(join(root, file!))).toBe(true);
      expect(text).toMatch(/^permissions:\n  contents: read$/m);
      expect(text).not.toMatch(/\$\{\{ github\.(?:event|head_ref)/);
    }
  });

  it("build an image that starts pawl, as a user without rights", () => {
    const lines = read("Containerfile").replaceAll("\\\n", "").split("\n");
    const instructions = lines.filter((line) => line !== "" && !line.startsWith("#"));
    for (const line of instructions) expect(line).toMatch(/^(?:FROM|ARG|RUN|COPY|USER|WORKDIR|ENTRYPOINT) /);
    expect(instructions[0]).toMatch(/^FROM docker\.io\/library\/node:\d+-slim$/);
    expect(instructions.at(-1)).toBe('ENTRYPOINT ["pawl"]');
    expect(instructions.findIndex((line) => line === "USER node")).toBeGreaterThan(0);
    // What RUN says is shell that parses.
    for (const line of instructions.filter((one) => one.startsWith("RUN ")))
      expect(spawnSync("sh", ["-n", "-c", line.slice(4)]).status).toBe(0);
  });
});
