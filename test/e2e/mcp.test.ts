import {
  EmptyResultSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { PAWL, pawl } from "../support/cli.ts";
import { mcpClient } from "../support/mcp-client.ts";
import { cleanEnv } from "../support/repository.ts";
import { planText } from "../support/plans.ts";
import { type Data, PLAN, workshop } from "../support/workshop.ts";
import { until } from "../support/until.ts";

const TWO = planText([
  { number: "1", title: "Dig", tasks: ["dig a hole", "level it"] },
  { number: "2", title: "Build", dependsOn: ["step-1"], tasks: ["raise the walls"] },
]);

/** A shop whose plan is committed, so that only the work is new. */
function shopOf(plan: string = TWO) {
  const shop = workshop(null);
  shop.repository.write(PLAN, plan);
  shop.repository.git("add", "-A");
  shop.repository.git("commit", "-q", "-m", "the plan");
  return shop;
}

describe("an agent that works over the protocol", () => {
  it("is driven through a whole plan: list, claim, update, submit", async () => {
    const shop = shopOf();
    const { call, client, line } = await mcpClient({ cwd: shop.home });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "pawl_status",
      "pawl_next",
      "pawl_claim",
      "pawl_start",
      "pawl_update",
      "pawl_artifact",
      "pawl_submit",
      "pawl_release",
      "pawl_explain",
      "pawl_plan_check",
      "pawl_recover_report",
    ]);
    expect(await call("pawl_plan_check", { plan: PLAN })).toMatchObject({ steps: 2, errors: 0 });
    const first = await call("pawl_claim", { plan: PLAN, start: false });
    expect(first).toMatchObject({ claimed: true, plan: PLAN, step: "step-1", already_changed: [] });
    expect(first["about"][0]).toMatchObject({
      origin: `plan ${PLAN}#step-1`,
      data: { title: "Dig", items: [{ kind: "task", ordinal: 1, text: "dig a hole", status: "open" }, {}] },
    });
    expect(await call("pawl_start")).toMatchObject({ step: "step-1", started: true });
    expect(shop.step("step-1")).toMatchObject({ status: "in_progress" });
    writeFileSync(join(shop.home, "hole.txt"), "deep\n");
    const ticked = await call("pawl_update", { items: [{ kind: "task", ordinal: 1, status: "completed" }] });
    expect(ticked).toMatchObject({ updated: 1, open: [{ kind: "task", ordinal: 2, text: "level it" }] });
    await call("pawl_update", { items: [{ match: "level", status: "deferred" }], reason: "flat already" });
    await call("pawl_artifact", { kind: "auditor_summary", summary: "went well", content: "all of it" });
    const done = await call("pawl_submit");
    expect(done).toMatchObject({ outcome: "completed", step: "step-1", all_completed: false });
    expect(shop.repository.git("show", "--stat", "--format=%B", done["commit"] as string)).toContain(
      "hole.txt",
    );
    expect(shop.step("step-1")).toMatchObject({ status: "completed", commit_hash: done["commit"] });
    expect(await call("pawl_claim")).toMatchObject({ step: "step-2" });
    await call("pawl_update", { items: [{ kind: "task", status: "completed" }] });
    expect(await call("pawl_submit")).toMatchObject({ outcome: "completed", all_completed: true });
    expect(await call("pawl_claim")).toMatchObject({ claimed: false, all_completed: true });
    expect(await line("pawl_next")).toContain("All steps are completed");
    await client.close();
    await until(
      () => shop.json("sessions", "list").data["sessions"]?.[0]?.["status"] === "completed",
      "the session is over",
    );
  });

  it("leaves out what was changed before the step began, unless it is named", async () => {
    const shop = shopOf();
    shop.repository.write("pawl.toml", '[verify]\ncommand = ["test", "-f", "hole.txt"]\nclean = true\n');
    shop.repository.write("notes.txt", "committed\n");
    shop.repository.git("add", "-A");
    shop.repository.git("commit", "-q", "-m", "settings");
    shop.repository.write("notes.txt", "mine\n");
    shop.repository.write("staged.txt", "mine\n");
    shop.repository.git("add", "staged.txt");
    shop.repository.write(".claude/settings.json", "{}\n");
    const { call, line } = await mcpClient({ cwd: shop.home });
    const claimed = await call("pawl_claim", { plan: PLAN });
    expect(claimed["already_changed"]).toEqual([".claude/settings.json", "notes.txt", "staged.txt"]);
    writeFileSync(join(shop.home, "hole.txt"), "deep\n");
    shop.repository.write(".claude/new.md", "of the step\n");
    await call("pawl_update", { items: [{ kind: "task", status: "completed" }] });
    const done = await call("pawl_submit", { include: ["./notes.txt"] });
    expect(done).toMatchObject({
      outcome: "completed",
      left_out: [".claude/settings.json", "staged.txt"],
    });
    const files = shop.repository
      .git("show", "--name-only", "--format=", done["commit"] as string)
      .split("\n");
    expect(files.toSorted()).toEqual([".claude/new.md", "hole.txt", "notes.txt"]);
    expect(
      shop.repository
        .git("status", "--porcelain", "-uall")
        .split("\n")
        .map((one) => one.trim()),
    ).toEqual(["A  staged.txt", "?? .claude/settings.json"]);
    expect(await line("pawl_claim")).toContain(
      "2 files were changed here before; submitting leaves them out.",
    );
  });

  it("works in the worktree that was named, whatever the client says, and without a handshake", async () => {
    const shop = shopOf();
    const elsewhere = shop.worktree("elsewhere");
    const child = spawn(process.execPath, [PAWL, "mcp", "--worktree", elsewhere], {
      cwd: shop.home,
      env: cleanEnv(),
      stdio: ["pipe", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const ask = async (id: number, method: string, params: Data = {}) => {
      const _meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
      };
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta } })}\n`);
      return JSON.parse((await lines.next()).value as string) as Data;
    };
    expect((await ask(1, "server/discover"))["result"]).toMatchObject({ resultType: "complete" });
    const claimed = await ask(2, "tools/call", { name: "pawl_claim", arguments: { plan: PLAN } });
    expect(claimed["result"]).toMatchObject({
      resultType: "complete",
      structuredContent: { step: "step-1" },
    });
    expect(shop.step("step-1")).toMatchObject({ claimed_by: elsewhere });
  });

  it("refuses a worktree that is none before it serves", () => {
    const shop = shopOf();
    const refused = pawl({ cwd: shop.home }, "mcp", "--worktree", "/nowhere");
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain("/nowhere");
  });

  it("records a second signal as an interruption, not as a kill", async () => {
    const shop = shopOf();
    const [seen, wait] = ["seen", "wait"].map((name) => join(shop.home, "..", name)) as [string, string];
    // Git is never cut off, so only a second signal ends this.
    const hook = `#!/bin/sh\ntouch ${seen}\nwhile [ -e ${wait} ]; do sleep 0.05; done\n`;
    writeFileSync(join(shop.home, ".git/hooks/pre-commit"), hook, { mode: 0o755 });
    writeFileSync(wait, "");
    const { call, pid } = await mcpClient({ cwd: shop.home });
    await call("pawl_claim", { plan: PLAN });
    writeFileSync(join(shop.home, "hole.txt"), "deep\n");
    await call("pawl_update", { items: [{ kind: "task", status: "completed" }] });
    const server = pid();
    const submitted = call("pawl_submit").catch(() => undefined);
    await until(() => existsSync(seen));
    // Two of one kind that are sent at once arrive as one, and two of different kinds in any order.
    process.kill(server, "SIGINT");
    process.kill(server, "SIGTERM");
    // Its pipe closes, and with it the call fails.
    await submitted;
    rmSync(wait);
    const [session] = shop.json("sessions", "list").data["sessions"];
    expect(["user_interrupt", "termination"]).toContain(session["interruption_type"]);
  });

  it("cannot complete by asserting: open items are reported, a failing check rejects with evidence, three block", async () => {
    const shop = shopOf();
    shop.repository.write("pawl.toml", '[verify]\ncommand = ["test", "-f", "proof.txt"]\n');
    shop.repository.git("add", "-A");
    shop.repository.git("commit", "-q", "-m", "settings");
    const { call, refused } = await mcpClient({ cwd: shop.home });
    await call("pawl_claim", { plan: PLAN });
    const { line, details } = await refused("pawl_submit");
    expect(line).toMatch(/^E051 step\/items-open: .*pawl_update/);
    expect(details["incomplete_items"]).toHaveLength(2);
    await call("pawl_update", { items: [{ kind: "task", status: "completed" }] });
    const rejected = await call("pawl_submit");
    expect(rejected).toMatchObject({ outcome: "rejected", attempts_left: 2 });
    expect(rejected["evidence"].at(-1)).toMatchObject({
      origin: "check test -f proof.txt",
      data: { outcome: "failed", exit_code: 1 },
    });
    expect(await call("pawl_submit")).toMatchObject({ outcome: "rejected", attempts_left: 1 });
    expect(await call("pawl_submit")).toMatchObject({ outcome: "blocked" });
    expect(shop.step("step-1")).toMatchObject({ status: "blocked" });
    expect(await call("pawl_status")).toMatchObject({ held: null });
    const report = await call("pawl_recover_report");
    expect(report["for_people"]).toBeGreaterThan(0);
    expect(report["found"]).toContainEqual(
      expect.objectContaining({ rule: "verification-escalated", who: "person", subject: `${PLAN}#step-1` }),
    );
  });

  it("hears of left-overs in the words of recovery, and of no command that is for people", async () => {
    const shop = shopOf();
    shop.json("state", "init", PLAN);
    shop.repository.write(PLAN, `${TWO}\nEdited since.\n`);
    const findings = shop.json("recover", "--dry-run").data["findings"] as readonly Data[];
    expect(findings.map(({ rule }) => rule)).toEqual(["plan-changed"]);
    const { call } = await mcpClient({ cwd: shop.home });
    const report = await call("pawl_recover_report");
    const found = (report["found"] as readonly Data[]).find(({ rule }) => rule === "plan-changed");
    expect(found).toMatchObject({ subject: PLAN, who: "person", next: "A person decides." });
    expect(found!["found"]).toBe(findings[0]!["found"]);
    expect(JSON.stringify(report)).not.toMatch(/pawl (?:recover|resume|state|sessions)/);
  });

  it("calls a verification off when the client cancels, without using up an attempt", async () => {
    const shop = shopOf(planText([{ number: "1", tasks: [] }]));
    shop.repository.write("pawl.toml", `[verify]\ncommand = ["sh", "-c", "touch ../begun; sleep 60"]\n`);
    shop.repository.git("add", "-A");
    shop.repository.git("commit", "-q", "-m", "settings");
    const { call, client } = await mcpClient({ cwd: shop.home });
    await call("pawl_claim", { plan: PLAN });
    const off = new AbortController();
    const submitting = client.callTool({ name: "pawl_submit", arguments: {} }, undefined, {
      signal: off.signal,
    });
    await until(() => existsSync(join(shop.home, "../begun")), "it verifies");
    off.abort("enough");
    await expect(submitting).rejects.toThrow();
    await until(() => shop.step("step-1")["status"] === "in_progress", "the step is back");
    expect(await call("pawl_status")).toMatchObject({ held: { step: "step-1", attempts: 0 } });
  });

  it("refuses malformed calls in the shapes of the protocol, and continues", async () => {
    const shop = shopOf();
    const { client, refused, call } = await mcpClient({ cwd: shop.home });
    await expect(client.callTool({ name: "pawl_reset", arguments: {} })).rejects.toMatchObject({
      code: -32602,
    });
    await expect(client.readResource({ uri: "pawl://plan/nowhere.md" })).rejects.toMatchObject({
      code: -32002,
    });
    await expect(client.getPrompt({ name: "destroy" })).rejects.toMatchObject({ code: -32602 });
    await expect(client.callTool({ name: "pawl_claim", arguments: "all" as never })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^MCP error -32602: tools\/call: params\.arguments: [^\n]+$/) as string,
    });
    await expect(client.request({ method: "tools/destroy" }, EmptyResultSchema)).rejects.toMatchObject({
      code: -32601,
    });
    for (const [name, args] of [
      ["pawl_claim", { plan: 7 }],
      ["pawl_claim", { force: true }],
      ["pawl_claim", { plan: "x".repeat(5000) }],
      ["pawl_update", { items: [] }],
      ["pawl_update", { items: [{ status: "done" }] }],
      ["pawl_artifact", { kind: "diary", summary: "x" }],
      ["pawl_plan_check", {}],
    ] as const)
      expect((await refused(name, args as Data)).line, name).toMatch(/^E066 usage\/wrong: /);
    expect((await refused("pawl_submit")).line).toMatch(/^E260 desk\/no-step/);
    expect((await refused("pawl_release")).line).toMatch(/^E260 /);
    expect((await refused("pawl_plan_check", { plan: "/etc/passwd" })).line).toMatch(/^E058 /);
    expect((await refused("pawl_claim", { plan: "../../secret.md" })).line).toMatch(/^E05[48] /);
    expect((await refused("pawl_claim", { plan: PLAN, step: "step-9" })).line).toMatch(/^E060 /);
    expect(await call("pawl_claim", { plan: PLAN })).toMatchObject({ step: "step-1" });
    expect((await refused("pawl_claim", { step: "step-2" })).line).toMatch(/^E261 desk\/one-step/);
    expect(await call("pawl_claim")).toMatchObject({ step: "step-1" });
    expect(await call("pawl_release", { reason: "lunch" })).toMatchObject({ released: true });
  });

  it("shows plans and steps as resources, and says when they change", async () => {
    const shop = shopOf();
    const { client, call } = await mcpClient({ cwd: shop.home });
    const updated: string[] = [];
    let listChanges = 0;
    client.setNotificationHandler(
      ResourceUpdatedNotificationSchema,
      ({ params }) => void updated.push(params.uri),
    );
    client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void (listChanges += 1));
    expect((await client.listResources()).resources).toEqual([]);
    await call("pawl_claim", { plan: PLAN });
    await until(() => listChanges > 0, "the list has changed");
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      "pawl://plan/plan.md",
      "pawl://plan/plan.md/step/step-1",
      "pawl://plan/plan.md/step/step-2",
    ]);
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1);
    const [content] = (await client.readResource({ uri: "pawl://plan/plan.md/step/step-1" })).contents;
    expect(JSON.parse((content as { text: string }).text)).toMatchObject({
      origin: "plan plan.md#step-1",
      data: { status: "in_progress", items: [{ text: "dig a hole" }, {}] },
    });
    await client.subscribeResource({ uri: "pawl://plan/plan.md/step/step-1" });
    // Another worker's call, in a process of its own.
    shop.json("state", "hold", PLAN, "step-2");
    await call("pawl_update", { items: [{ kind: "task", ordinal: 1, status: "completed" }] });
    await until(() => updated.length > 0, "the step has changed");
    expect(new Set(updated)).toEqual(new Set(["pawl://plan/plan.md/step/step-1"]));
    await client.unsubscribeResource({ uri: "pawl://plan/plan.md/step/step-1" });
  });

  it("has prompts for the work", async () => {
    const shop = shopOf();
    const { client } = await mcpClient({ cwd: shop.home });
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(["implement", "work"]);
    const { messages } = await client.getPrompt({ name: "implement", arguments: { plan: "a\nb.md" } });
    const [message] = messages;
    expect(message).toMatchObject({ role: "user", content: { type: "text" } });
    expect((message!.content as { text: string }).text).toMatch(/pawl_claim[\s\S]*Plan: a b\.md$/);
  });
});
