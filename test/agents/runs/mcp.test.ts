import { spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { PAWL } from "../../support/cli.ts";
import { planText } from "../../support/plans.ts";
import { cleanEnv } from "../../support/repository.ts";
import { ok, type Workshop, workshop } from "../../support/workshop.ts";
import { connect, modelOf } from "../connections.ts";
import { programOf, type ReleasedAgent, versionOf } from "../installed-agents.ts";
import { type StandIn, standIn } from "../stand-in.ts";

type ClientName = Extract<ReleasedAgent, "claude" | "opencode" | "copilot">;

/** From claim to submit over MCP, with the released agents as a person starts them without Pawl. */

interface Client {
  /** How it is started with a task, without a terminal. */
  readonly args: readonly string[];
  /** The settings that name the server; `pawl hooks install` writes them where Pawl knows how. */
  readonly settings?: (home: string) => Readonly<Record<string, string>>;
  readonly isSetUp?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

const SERVER = { command: "pawl", args: ["mcp"] };

const CLIENTS: Readonly<Record<ClientName, Client>> = {
  claude: {
    args: ["-p", "--mcp-config", ".mcp.json", "--allowedTools", "mcp__pawl", "Bash"],
    isSetUp: true,
  },
  opencode: {
    args: ["run", "--format", "json"],
    settings: () => ({
      "opencode.json": JSON.stringify({ mcp: { pawl: { type: "local", command: ["pawl", "mcp"] } } }),
    }),
  },
  copilot: {
    args: ["--allow-all"],
    settings: (home) => ({
      [join(home, ".copilot/mcp-config.json")]: JSON.stringify({
        mcpServers: { pawl: { type: "local", tools: ["*"], ...SERVER } },
      }),
    }),
  },
};

let api: StandIn;
beforeEach(async () => {
  api = await standIn();
});
afterEach(() => api.close());

/** Runs the agent as a person does, and returns what it printed. */
async function talkTo(name: ClientName, shop: Workshop): Promise<string> {
  const client = CLIENTS[name];
  const outside = join(shop.home, "..");
  const home = join(outside, "home");
  const env = connect(name, api.url, home);
  mkdirSync(join(outside, "bin"));
  symlinkSync(PAWL, join(outside, "bin/pawl"));
  if (client.isSetUp) ok(shop.json("hooks", "install", name));
  for (const [path, text] of Object.entries(client.settings?.(home) ?? {})) {
    const file = path.startsWith("/") ? path : join(shop.home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const model = name === "copilot" ? [] : ["--model", modelOf(name)];
  const [first, ...more] = client.args;
  const args = first?.startsWith("-") ? [...client.args, ...model] : [first!, ...model, ...more];
  const child = spawn(programOf(name), args, {
    cwd: shop.home,
    env: {
      ...Object.fromEntries(Object.entries(cleanEnv()).filter(([key]) => key.startsWith("GIT_"))),
      PATH: [join(outside, "bin"), process.env["PATH"]].join(delimiter),
      ...env,
      ...client.env,
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  child.stdin.end("Do the next step of plan.md with Pawl.");
  await new Promise((resolve) => {
    child.on("close", resolve);
  });
  return said;
}

describe.each(Object.keys(CLIENTS) as ClientName[])("%s, as a client of the server", (name) => {
  it(`${versionOf(name)} claims a step, reads it, and submits it`, async () => {
    const shop = workshop(null);
    shop.repository.write(
      "plan.md",
      planText([{ number: "1", title: "Dig", tasks: ["dig a hole beside the well"] }]),
    );
    shop.repository.git("add", "-A");
    shop.repository.git("commit", "-q", "-m", "the plan");
    api.answer(
      { use: "pawl_claim", input: { plan: "plan.md" } },
      { run: "echo deep > hole.txt" },
      { use: "pawl_update", input: { items: [{ match: "dig", status: "completed" }] } },
      { use: "pawl_submit", input: {} },
      { say: "Done." },
    );
    const said = await talkTo(name, shop);
    expect(shop.step("step-1"), said.slice(-6000)).toMatchObject({ status: "completed" });
    expect(api.wasSent("dig a hole beside the well"), "the model got the text of the step").toBe(true);
    const files = shop.repository.git("show", "--name-only", "--format=", "HEAD").split("\n");
    expect(files).toEqual(["hole.txt"]);
  });
});
