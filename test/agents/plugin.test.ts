import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PAWL } from "../support/cli.ts";
import { planText } from "../support/plans.ts";
import { cleanEnv } from "../support/repository.ts";
import { ok, PLAN, workshop } from "../support/workshop.ts";
import { programOf } from "./installed-agents.ts";
import { type StandIn, standIn } from "./stand-in.ts";

/** The plugin in the released Claude Code, against a stand-in of its model's API. */

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PLUGIN = join(ROOT, "plugin");

let api: StandIn;
beforeAll(async () => {
  api = await standIn();
});
afterAll(() => api.close());

/** A `pawl` that records what each hook received and printed, and is the real one otherwise. */
function recordingPawl(folder: string): void {
  mkdirSync(join(folder, "bin"));
  const program = join(folder, "bin/pawl");
  writeFileSync(
    program,
    `#!/bin/sh
if [ "$1" = hook ]; then
  tee "${folder}/$2.in.json" | "${process.execPath}" "${PAWL}" "$@" | tee "${folder}/$2.out.json"
else
  exec "${process.execPath}" "${PAWL}" "$@"
fi
`,
  );
  chmodSync(program, 0o755);
}

describe("the plugin", () => {
  it.each(["plugin", "."])("is valid, strictly: %s", (path) => {
    const { status, stdout, stderr } = spawnSync(
      programOf("claude"),
      ["plugin", "validate", "--strict", join(ROOT, path)],
      { env: { PATH: process.env["PATH"], HOME: "/nonexistent" }, encoding: "utf8" },
    );
    expect(status, `${stdout}${stderr}`).toBe(0);
  });

  it("runs its hooks and tools through one step", async () => {
    const shop = workshop(null);
    shop.repository.write(PLAN, planText([{ number: "1", title: "Dig", tasks: ["dig a hole"] }]));
    shop.repository.git("add", "-A");
    shop.repository.git("commit", "-q", "-m", "the plan");
    ok(shop.json("state", "init", PLAN));
    // An agent's end is noted where everything was checked before.
    const sentinelFile = join(shop.home, ".git/pawl/last-clean-exit.json");
    const before = { timestamp: new Date().toISOString(), task_count: 0, in_progress_tasks: [], open: false };
    writeFileSync(sentinelFile, JSON.stringify(before));
    const outside = join(shop.home, "..");
    recordingPawl(outside);
    mkdirSync(join(outside, "home"));
    api.answer(
      { use: "__pawl_claim", input: { plan: PLAN } },
      { run: "echo deep > hole.txt" },
      { say: "I think that is all." },
      { use: "__pawl_update", input: { items: [{ match: "dig", status: "completed" }] } },
      { use: "__pawl_submit", input: {} },
      { say: "Done." },
    );
    const child = spawn(
      programOf("claude"),
      [
        "-p",
        "--output-format",
        "stream-json",
        "--verbose",
        "--plugin-dir",
        PLUGIN,
        "--permission-mode",
        "bypassPermissions",
        "--model",
        "claude-sonnet-4-5",
      ],
      {
        cwd: shop.home,
        env: {
          ...Object.fromEntries(Object.entries(cleanEnv()).filter(([name]) => name.startsWith("GIT_"))),
          PATH: [join(outside, "bin"), process.env["PATH"]].join(delimiter),
          HOME: join(outside, "home"),
          ANTHROPIC_API_KEY: "made-up",
          ANTHROPIC_BASE_URL: api.url,
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
          CLAUDE_CODE_MAX_RETRIES: "1",
          IS_SANDBOX: "1",
        },
        stdio: ["pipe", "pipe", "pipe"],
      },
    );
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
    child.stdin.end("Do the next step of the plan with Pawl.");
    const code = await new Promise((resolve) => {
      child.on("close", resolve);
    });
    expect(code, said.slice(-4000)).toBe(0);
    expect(shop.step("step-1"), said.slice(-6000)).toMatchObject({ status: "completed" });
    expect(shop.repository.git("show", "--stat", "HEAD")).toContain("hole.txt");
    const heard = (name: string) => readFileSync(join(outside, `${name}.in.json`), "utf8");
    const answered = (name: string) => readFileSync(join(outside, `${name}.out.json`), "utf8");
    expect(JSON.parse(heard("session-start"))).toMatchObject({
      hook_event_name: "SessionStart",
      source: "startup",
    });
    expect(answered("session-start")).toContain("additionalContext");
    expect(JSON.parse(heard("tool-use"))).toMatchObject({ hook_event_name: "PostToolUse" });
    // The first stop received what is left, and the agent continued; the last one was let go.
    expect(JSON.parse(heard("stop"))).toMatchObject({ hook_event_name: "Stop" });
    expect(answered("stop")).toBe("");
    expect(said).toContain("dig a hole");
    expect(JSON.parse(heard("session-end"))).toMatchObject({ hook_event_name: "SessionEnd" });
    const sentinel = JSON.parse(readFileSync(sentinelFile, "utf8")) as object;
    expect(sentinel).toMatchObject({ open: false, task_count: 1 });
    if (process.env["PAWL_TEST_RECORD"])
      for (const name of ["session-start", "tool-use", "stop", "session-end"])
        writeFileSync(join(process.env["PAWL_TEST_RECORD"], `${name}.json`), heard(name));
  });
});
