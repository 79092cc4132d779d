import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { HOOK_EVENTS } from "../../src/cli/hooks/hook-events.ts";
import { PAWL, pawl } from "../support/cli.ts";
import { mcpClient } from "../support/mcp-client.ts";
import { planText } from "../support/plans.ts";
import { testRepository } from "../support/repository.ts";
import { query, withDatabase, worldOf } from "../support/world.ts";
import { ok, PLAN, type Workshop, workshop } from "../support/workshop.ts";

const NAMES = Object.keys(HOOK_EVENTS);
const TWO = planText([
  { number: "1", title: "Dig", tasks: ["dig a hole", "level it"] },
  { number: "2", title: "Build", tasks: ["raise the walls"] },
]);

/** An event as the released Claude Code sent it, for a folder. */
const recorded = (name: string, cwd: string, changes: object = {}): string =>
  JSON.stringify({
    ...(JSON.parse(
      readFileSync(new URL(`../fixtures/hook-events/${name}.json`, import.meta.url), "utf8"),
    ) as object),
    cwd,
    ...changes,
  });

/** Runs a hook as the agent's program does, from another folder; it must never stand in the way. */
function hook(shop: Pick<Workshop, "home">, name: string, changes: object = {}) {
  const input = recorded(name, shop.home, changes);
  const { code, stdout, stderr } = pawl({ cwd: "/", input }, "hook", name);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout === "" ? undefined : (JSON.parse(stdout) as Record<string, unknown>);
}

const contextOf = (output: Record<string, unknown> | undefined): string =>
  (output!["hookSpecificOutput"] as { additionalContext: string }).additionalContext;

describe("hooks", () => {
  it("tell an agent at its start what holds, and something else after its memory was cut", () => {
    const shop = workshop(TWO);
    shop.take(".", "step-1");
    const start = hook(shop, "session-start");
    expect(start).toMatchObject({ hookSpecificOutput: { hookEventName: "SessionStart" } });
    expect(contextOf(start)).toContain("| [ ] task 1: dig a hole");
    expect(contextOf(start).split("\n").length).toBeLessThanOrEqual(60);
    expect(hook(shop, "pre-compact")).toBeUndefined();
    const again = contextOf(hook(shop, "session-start", { source: "compact" }));
    expect(again).toContain("keep what was decided about the parser");
    expect(again).toContain("Your conversation was shortened");
    expect(contextOf(hook(shop, "session-start", { source: "resume" }))).toContain(
      "You continue after an interruption",
    );
  });

  it("tell of a session that was cut off, and of blocked steps", async () => {
    const shop = workshop(TWO);
    const { call, client } = await mcpClient({ cwd: shop.home });
    await call("pawl_claim", { plan: PLAN });
    writeFileSync(join(shop.home, "half.txt"), "half\n");
    await client.close();
    const text = contextOf(hook(shop, "session-start"));
    expect(text).toContain("Its session is over: claim it again");
  });

  it("say nothing where Pawl has no business", () => {
    const repository = testRepository();
    try {
      for (const name of NAMES) {
        expect(hook({ home: repository.path }, name)).toBeUndefined();
        expect(hook({ home: "/nonexistent" }, name)).toBeUndefined();
      }
    } finally {
      repository.remove();
    }
  });

  it("hold an agent that stops with open work, once for each claim, and never in a loop", () => {
    const shop = workshop(TWO);
    expect(hook(shop, "stop")).toBeUndefined();
    shop.take(".", "step-1");
    expect(hook(shop, "stop", { stop_hook_active: true })).toBeUndefined();
    const held = hook(shop, "stop");
    expect(held).toMatchObject({ decision: "block" });
    expect(held!["reason"]).toContain("| step-1 task 2: level it");
    expect(held!["reason"]).not.toMatch(/--force|reset/);
    expect(hook(shop, "stop")).toBeUndefined();
    expect(hook(shop, "stop", { session_id: "another" })).toMatchObject({ decision: "block" });
    ok(shop.work("update", ".", "step-1", "--all", "completed"));
    ok(shop.work("complete", ".", "step-1"));
    shop.take(".", "step-2");
    expect(hook(shop, "stop")).toMatchObject({ decision: "block" });
    ok(shop.work("release", ".", "step-2"));
    expect(hook(shop, "stop")).toBeUndefined();
  });

  it("renew a claim when tools are used, not each time, and never that of a session", async () => {
    const shop = workshop(TWO);
    shop.take(".", "step-1");
    const lease = () =>
      query(shop.database, "select lease_uptime_ms as ms, heartbeat_at as at from steps")[0]!;
    withDatabase(shop.database, (connection) =>
      connection
        .prepare("update steps set lease_uptime_ms = lease_uptime_ms - 1000000 where anchor = 'step-1'")
        .run(),
    );
    const before = lease();
    expect(hook(shop, "tool-use")).toBeUndefined();
    const renewed = lease();
    expect(Number(renewed["ms"])).toBeGreaterThan(Number(before["ms"]) + 900_000);
    expect(hook(shop, "tool-use")).toBeUndefined();
    expect(lease()).toEqual(renewed);
    const other = shop.worktree("other");
    const { call } = await mcpClient({ cwd: other });
    await call("pawl_claim", { plan: PLAN });
    const world = worldOf(shop.repository);
    expect(hook({ home: other }, "tool-use")).toBeUndefined();
    expect(worldOf(shop.repository).tables).toEqual(world.tables);
  });

  it("note a clean end, but not over another session's open sentinel", () => {
    const shop = workshop(TWO);
    shop.take(".", "step-1");
    const file = join(shop.home, ".git/pawl/last-clean-exit.json");
    const sentinel = () => JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    hook(shop, "session-end");
    // Nothing has ever checked everything, so the end of this one says nothing yet.
    expect(existsSync(file)).toBe(false);
    const clean = { timestamp: new Date().toISOString(), task_count: 0, in_progress_tasks: [], open: false };
    writeFileSync(file, JSON.stringify(clean));
    hook(shop, "session-end");
    expect(sentinel()).toMatchObject({ open: false, task_count: 2, in_progress_tasks: ["plan.md#step-1"] });
    expect(sentinel()["timestamp"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const open = JSON.stringify({ ...sentinel(), open: true, runs: [{ id: "r-1" }] });
    writeFileSync(file, open);
    hook(shop, "session-end");
    expect(readFileSync(file, "utf8")).toBe(open);
    writeFileSync(file, "{ broken");
    hook(shop, "session-end");
    expect(readFileSync(file, "utf8")).toBe("{ broken");
  });

  it.each(NAMES)("%s lives through everything that can be sent to it", (name) => {
    const shop = workshop(TWO);
    shop.take(".", "step-1");
    const huge = JSON.stringify({ cwd: shop.home, tool_response: "x".repeat(20 * 1024 * 1024) });
    for (const input of [
      "",
      "{",
      "[]",
      "null",
      '"text"',
      "7",
      "{}",
      "\u0000\u001b[2J",
      huge,
      '{"cwd":7,"source":[]}',
    ]) {
      const { code, stdout } = pawl({ cwd: shop.home, input }, "hook", name);
      expect(code, input.slice(0, 30)).toBe(0);
      if (stdout !== "") expect(JSON.parse(stdout)).toBeTypeOf("object");
    }
    expect(shop.step("step-1")).toMatchObject({ status: "in_progress", claim: 1 });
  });

  it("end without a word when the state is damaged, or the event is none", () => {
    const shop = workshop(TWO);
    expect(pawl({ cwd: shop.home, input: "{}" }, "hook", "nonsense")).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "",
    });
    expect(pawl({ cwd: shop.home, input: "{}" }, "hook")).toMatchObject({ code: 0, stdout: "" });
    writeFileSync(shop.database, "this is no database");
    for (const suffix of ["-wal", "-shm"]) rmSync(`${shop.database}${suffix}`, { force: true });
    for (const name of NAMES) expect(hook(shop, name)).toBeUndefined();
    const told = pawl({ cwd: shop.home, input: "{}", env: { PAWL_DEBUG: "1" } }, "hook", "session-start");
    expect(told).toMatchObject({ code: 0, stderr: expect.stringContaining("pawl hook:") });
  });

  it.each([[], ["--no-color"]])(
    "let nothing act on a terminal that looks for what is wrong %j",
    (...more) => {
      const shop = workshop(TWO);
      const asked = { cwd: shop.home, input: "{}", env: { PAWL_DEBUG: "1" } };
      const { code, stderr } = pawl(asked, "hook", "st\u202eop\u009b2J", ...more);
      expect(code).toBe(0);
      expect(stderr).toContain("There is no hook");
      expect(stderr).not.toMatch(/[\u0080-\u009f\u202e]/);
    },
  );

  it("load files of their own, the idle ones a single one, and nothing of the command line", () => {
    const shop = workshop(TWO);
    shop.take(".", "step-1");
    const own = ["hook/agent.cjs", "hook/hook.cjs"];
    expect(loadedBy(shop, "pre-compact")).toEqual(own);
    expect(loadedBy(shop, "stop")).toEqual(own);
    expect(loadedBy(shop, "tool-use")).toEqual(own);
    expect(loadedBy(shop, "tool-use")).toEqual(["hook/hook.cjs"]);
    expect(loadedBy(shop, "session-end")).toEqual(own);
  });

  it("diagnose at the start of a conversation alone, by one more file, and only where there are plans", () => {
    const shop = workshop(TWO);
    expect(loadedBy(shop, "session-start")).toEqual([
      "hook/agent.cjs",
      "hook/diagnosis.cjs",
      "hook/hook.cjs",
    ]);
    withDatabase(shop.database, (database) => database.exec("pragma foreign_keys = off; delete from plans"));
    expect(loadedBy(shop, "session-start")).not.toContain("hook/diagnosis.cjs");
    expect(loadedBy({ home: testRepository().path }, "session-start")).toEqual([
      "hook/agent.cjs",
      "hook/hook.cjs",
    ]);
  });

  it("say the same through the command line, where it is called with more words", () => {
    const shop = workshop(TWO);
    shop.take(".", "step-1");
    const input = recorded("session-start", shop.home);
    const [short, long] = [[], ["--no-color"]].map((more) =>
      pawl({ cwd: "/", input }, "hook", "session-start", ...more),
    );
    expect(short!.stdout).toContain("dig a hole");
    expect(long).toEqual(short);
    expect(pawl({ cwd: "/", input }, "hook", "--help").stdout).toContain("session-start");
  });

  it("keep a person's words on the disk before the agent continues, and its own only beside it", () => {
    const shop = workshop(TWO);
    shop.take(".", "step-1");
    expect(flushedBy(shop, "pre-compact", { custom_instructions: "keep the names" })).toBeGreaterThan(0);
    expect(flushedBy(shop, "pre-compact", { custom_instructions: "" })).toBe(0);
    expect(contextOf(hook(shop, "session-start", { source: "compact" }))).toContain("Handover of ");
  });

  it("list what is open of a step before what is open of its substeps, in the order of the plan", () => {
    const shop = workshop(
      planText([
        { number: "1", tasks: ["of the step"] },
        { number: "1.1", tasks: ["of the first"] },
        { number: "1.2", tasks: ["of the second"] },
      ]),
    );
    shop.take(".", "step-1");
    const open = contextOf(hook(shop, "session-start")).match(/of the (step|first|second)/g);
    expect(open).toEqual(["of the step", "of the first", "of the second"]);
  });

  it("answer though the program that calls them keeps the pipe open, or says half an event", async () => {
    const shop = workshop(TWO);
    shop.take(".", "step-1");
    const [whole, half] = await Promise.all([
      leftOpen(shop, recorded("session-start", shop.home)),
      leftOpen(shop, recorded("session-start", shop.home).slice(0, -1)),
    ]);
    expect(whole).toMatchObject({ code: 0, stderr: "" });
    expect(whole.stdout).toContain("dig a hole");
    // As installed, behind a shell that says that all is well.
    expect(half.code).toBe(0);
    expect(half.stdout).toContain("dig a hole");
  });
});

/** Runs a hook with calls of Node's file functions written down, and answers with them. */
function watched(
  { home }: Pick<Workshop, "home">,
  name: string,
  changes: object,
): readonly [string, string][] {
  const folder = mkdtempSync(join(tmpdir(), "pawl-hook-"));
  try {
    const [spy, log] = [join(folder, "spy.cjs"), join(folder, "log")];
    writeFileSync(
      spy,
      `const fs = require("node:fs");
       const note = fs.appendFileSync;
       for (const name of ["openSync", "fsyncSync"]) {
         const was = fs[name];
         fs[name] = (...given) => {
           if (given[0] !== ${JSON.stringify(log)}) note(${JSON.stringify(log)}, JSON.stringify([name, String(given[0])]) + "\\n");
           return was(...given);
         };
       }`,
    );
    const input = recorded(name, home, changes);
    const env = { NODE_OPTIONS: `--require=${spy}` };
    expect(pawl({ cwd: "/", input, env }, "hook", name)).toMatchObject({ code: 0, stderr: "" });
    const lines = readFileSync(log, "utf8").trim().split("\n");
    return lines.map((line) => JSON.parse(line) as [string, string]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The files of Pawl that a hook loads. */
const loadedBy = (shop: Pick<Workshop, "home">, name: string): readonly string[] =>
  watched(shop, name, { session_id: name })
    .map(([, path]) => relative(dirname(PAWL), path))
    .filter((path) => path.endsWith(".cjs") && !path.startsWith("..") && !path.includes("compiled"))
    .toSorted();

const flushedBy = (shop: Pick<Workshop, "home">, name: string, changes: object): number =>
  watched(shop, name, changes).filter(([call]) => call === "fsyncSync").length;

/** Calls the hook as its entry does, and never closes its input. */
async function leftOpen({ home }: Pick<Workshop, "home">, input: string) {
  const child = spawn("sh", ["-c", '"$0" "$1" hook session-start || true', process.execPath, PAWL], {
    cwd: home,
    stdio: "pipe",
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (piece: Buffer) => (stdout += piece.toString()));
  child.stderr.on("data", (piece: Buffer) => (stderr += piece.toString()));
  child.stdin.write(input);
  const [code] = (await once(child, "close")) as [number];
  child.stdin.destroy();
  return { code, stdout, stderr };
}
