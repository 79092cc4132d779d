import { execFileSync } from "node:child_process";
import { appendFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { AGENT, GOOD, runShop, THREE } from "../support/run-shop.ts";
import { enter, startUi } from "../support/ui-shop.ts";

const ONE = [THREE[0]!];
const CLAUDE = `agent = "mine"\n[agents.mine]\npreset = "claude"\nprogram = ${JSON.stringify(AGENT.slice(1))}\n`;

describe("the output of a command", () => {
  it("is shown in words, whatever language the agent speaks to programs", async () => {
    const shop = runShop(ONE, CLAUDE);
    shop.script({ speak: "claude", steps: { "step-1": [[{ say: "digging now" }, ...GOOD]] } } as never);
    expect(shop.pawl("run", "plan.md").code).toBe(0);
    const [session] = shop.query("select id from sessions");
    const { get } = await enter(await startUi(shop));
    const { body } = await get(`/api/output?id=${String(session!["id"])}&command=1`);
    const said = shop.json("sessions", "logs", String(session!["id"]), "--command", "1").data.lines;
    expect(body.data.lines).toEqual(said);
    expect(body.data.lines.join("\n")).toContain("digging now");
    expect(body.data.lines.join("\n")).not.toContain('{"type"');
  });

  it("that is very long is read from its end, in whole lines, and followed from there", async () => {
    const shop = runShop(ONE);
    expect((await shop.run()).code).toBe(0);
    const [session] = shop.json("sessions", "list").data.sessions;
    const lineOf = (index: number) => `line ${index} ${"x".repeat(80)}`;
    const lines = Array.from({ length: 100_000 }, (_, index) => lineOf(index));
    writeFileSync(session.at.log, `${lines.join("\n")}\n`);
    const { get } = await enter(await startUi(shop));
    const first = (await get(`/api/output?id=${session.id}`)).body.data;
    expect(first.lines.at(-1)).toBe(lineOf(99_999));
    expect(first.lines.length).toBeGreaterThan(1000);
    for (const line of first.lines.slice(0, 3)) expect(lines).toContain(line);
    const { size } = statSync(session.at.log);
    expect(first.next).toBe(size);
    appendFileSync(session.at.log, "one more");
    const then = (await get(`/api/output?id=${session.id}&after=${first.next}`)).body.data;
    expect(then).toMatchObject({ lines: ["one more"], next: size + 8, is_live: false });
  });

  it("that is a pipe or a link is refused at once, and keeps no one waiting", async () => {
    const shop = runShop(ONE);
    expect((await shop.run()).code).toBe(0);
    const [session] = shop.json("sessions", "list").data.sessions;
    const { log } = session.at;
    const server = await startUi(shop);
    const { get } = await enter(server);
    const ask = () => get(`/api/output?id=${session.id}`);
    expect((await ask()).status).toBe(200);
    rmSync(log);
    execFileSync("mkfifo", [log]);
    // More than there are threads that could wait.
    for (const { status } of await Promise.all(Array.from({ length: 12 }, ask))) expect(status).toBe(400);
    rmSync(log);
    writeFileSync(shop.path("secret"), "the secret\n");
    symlinkSync(shop.path("secret"), log);
    const followed = await ask();
    expect(followed.status).toBe(400);
    expect(JSON.stringify(followed.body)).not.toContain("the secret");
    server.child.kill("SIGTERM");
    await new Promise((gone) => server.child.once("exit", gone));
  });
});

describe("a decision that is sent more than once", () => {
  it("starts one process, whether the calls come together or one after the other", async () => {
    const shop = runShop(ONE);
    shop.json("state", "init", "plan.md");
    const { get, post } = await enter(await startUi(shop));
    const { body } = await get("/api/preview?action=fix");
    const decision = { action: "fix", version: body.data.version, request_id: "same" };
    const answers = await Promise.all([post("/api/act", decision), post("/api/act", decision)]);
    answers.push(await post("/api/act", decision));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect((await get("/api/overview")).body.data.jobs).toHaveLength(1);
    const other = await post("/api/act", { ...decision, action: "run", plan: "plan.md" });
    expect(other.status).toBe(400);
  });
});

describe("what an action says beforehand", () => {
  it("names a session as the command line does, and states in words", async () => {
    const shop = runShop(ONE);
    expect((await shop.run()).code).toBe(0);
    const { get } = await enter(await startUi(shop));
    const id = String(shop.query("select id from sessions")[0]!["id"]);
    const why = async (query: string) => (await get(`/api/preview?${query}`)).body.issues[0].message;
    expect(await why(`action=resume&session=${id}`)).toBe(`Session ${id.slice(0, 10)} is completed.`);
    shop.json("state", "reopen", "plan.md", "step-1", "--reason", "again");
    shop.json("state", "hold", "plan.md", "step-1");
    const message = await why("action=hold&plan=plan.md&step=step-1");
    expect(message).toBe("step-1 is on hold: there is nothing to hold.");
  });
});
