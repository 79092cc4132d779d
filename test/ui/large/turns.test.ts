import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, it } from "vitest";
import { ACTIONS } from "../../../src/web/actions/index.ts";
import { ROUTES } from "../../../src/web/routes/index.ts";
import { fillJournal, fillSessions, LARGE_PLAN, largePlanText, STEPS } from "../../support/large-shop.ts";
import { planText } from "../../support/plans.ts";
import { AGENT, type RunShop, runShop, untilWritten } from "../../support/run-shop.ts";
import { until } from "../../support/until.ts";
import { type Caller, enter, startUi } from "../../support/ui-shop.ts";

const settings = `agent = "stand-in"\n[agents.stand-in]\npreset = "claude"\nprogram = ${JSON.stringify(AGENT.slice(1))}\n`;
const HANG = [{ write: "half.txt", text: "half" }, { hang: true }];

/** Its file shows how its steps stand, and is written with each decision. */
const LISTED = "large-list.md";
const UNREAD = "unread-plan.md";
const SMALL = "small-plan.md";

const listed = (): string =>
  ["# Tasks", "", ...Array.from({ length: STEPS }, (_, index) => `- [ ] ${index + 1}. Work`), ""].join("\n");

/** Ten thousand steps in each of three files, a million lines of journal, 5000 sessions, 20,000 commands of one. */
async function largeShop(): Promise<RunShop> {
  const shop = runShop(undefined, settings);
  shop.script({ speak: "claude", steps: { "step-1": [HANG] } });
  const { child, ended } = shop.start("run", "plan.md");
  await untilWritten(join(shop.worktree(), "half.txt"));
  child.kill("SIGTERM");
  await ended;
  for (const [name, text] of [
    [LARGE_PLAN, largePlanText()],
    [LISTED, listed()],
    [UNREAD, largePlanText()],
  ] as const)
    shop.repo.write(name, text);
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-q", "-m", "large plans");
  for (const name of [LARGE_PLAN, LISTED]) expect(shop.json("state", "init", name).status).toBe("ok");
  const { worktree_path: worktree } = shop.json("worktree", "create", LARGE_PLAN).data;
  writeFileSync(join(worktree, "work.txt"), "done");
  shop.repo.git("-C", worktree, "add", "-A");
  shop.repo.git("-C", worktree, "commit", "-q", "-m", "work");
  fillJournal(shop);
  fillSessions(shop);
  const [log] = shop.query(
    "select s.log_folder || '/' || c.log || '.log' as log from sessions s join checkpoints c on c.session_id = s.id where s.status = 'interrupted'",
  );
  writeFileSync(String(log!["log"]), transcriptLines());
  return shop;
}

/** A run that works, and steps that a person sees to: one conflicts. */
async function stuck(shop: RunShop): Promise<{ readonly running: string }> {
  shop.repo.write(SMALL, planText([{ number: "1", tasks: ["dig"] }]));
  shop.repo.git("add", SMALL);
  shop.repo.git("commit", "-qm", "a small plan");
  shop.script({ speak: "claude", runs: [HANG] });
  shop.start("run", SMALL);
  await untilWritten(join(shop.repo.path, ".pawl/worktrees/small-plan-w1/half.txt"));
  for (const verb of ["claim", "start"])
    shop.json("state", verb, LARGE_PLAN, ...(verb === "start" ? ["step-1"] : []), "--worktree", ".");
  const database = new DatabaseSync(join(shop.repo.path, ".git/pawl/state.db"));
  database.exec(`
    update steps
       set status = 'blocked', block_reason = 'merge_conflict'
     where plan_path = '${LARGE_PLAN}'
       and anchor = 'step-1'`);
  database.close();
  const [session] = shop.query("select id from sessions where status = 'in_progress' and run_id is not null");
  return { running: String(session!["id"]) };
}

interface Turns {
  readonly name: string;
  readonly ms: number;
}

/** What one command of an agent said in a day. */
const LINES = 100_000;

const transcriptLines = (): string =>
  Array.from({ length: LINES }, (_, number) =>
    JSON.stringify({
      type: "assistant",
      message: {
        content: [
          number % 2 === 0
            ? { type: "text", text: `Thought ${number}: the **next** thing is \`step ${number}\`.` }
            : {
                type: "tool_use",
                id: `t${number}`,
                name: "Bash",
                input: { command: `npm test -- ${number}` },
              },
        ],
      },
    }),
  ).join("\n");

/** Calls as the page does, and keeps how long the server's loop was busy at most with each. */
function watching(caller: Caller) {
  const seen: Turns[] = [];
  const watched = async (name: string, ask: () => ReturnType<Caller["get"]>) => {
    // After a command that took long, the connection may be closed: two turns of the loop show it.
    for (let turn = 0; turn < 2; turn += 1) await new Promise((go) => setImmediate(go));
    await caller.get("/api/server");
    const answer = await ask();
    seen.push({ name, ms: (await caller.get("/api/server")).body.data.busiest_turn_ms });
    return answer;
  };
  return {
    seen,
    get: (path: string, query: readonly (readonly [string, string])[] = []) =>
      watched(`GET ${path} ${String(query.flat().slice(0, 4))}`, () =>
        caller.get(
          `${path}?${String(new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])))}`,
        ),
      ),
    post: (path: string, body: Readonly<Record<string, string>>) =>
      watched(`POST ${path} ${body["action"] ?? ""} ${body["plan"] ?? ""}`, () => caller.post(path, body)),
  };
}

/** A turn that is ours is as long in every round; one in which the machine did something else is not. */
const ROUNDS = 2;

it("no call of the page keeps others waiting, however much there is", async () => {
  const shop = await largeShop();
  const session = shop.query("select id from sessions where status = 'interrupted'")[0]!["id"] as string;
  const large = join(shop.repo.git("rev-parse", "--show-toplevel"), ".pawl/worktrees/large-plan");
  const caller = await enter(await startUi(shop));
  const { seen, get, post } = watching(caller);
  const anchors = Array.from({ length: 200 }, (_, index) => ["anchor", `step-${index + 1}`] as const);
  const plan = ["plan", LARGE_PLAN] as const;
  const asked = new Set<string>(["/api/server", "/api/live"]);
  const look = async (path: string, ...query: readonly (readonly [string, string])[]) => {
    asked.add(path);
    const { status, body } = await get(path, query);
    expect({ path, query: query.slice(0, 3), status }).toMatchObject({ status: 200 });
    return body.data;
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    await look("/api/overview");
    await look("/api/findings");
    await look("/api/steps", plan, ["most", "500"], ["after", "5000"]);
    await look("/api/steps", plan, ...anchors);
    await look("/api/step", plan, ["step", "step-5000"]);
    await look("/api/step", ["plan", LISTED], ["step", "5000"]);
    await look("/api/step", ["plan", "plan.md"], ["step", "step-1"]);
    await look("/api/text", plan, ["step", "step-5000"]);
    await look("/api/text", ["plan", LISTED], ["step", "5000"]);
    await look("/api/items", plan, ...anchors.slice(0, 40));
    await look("/api/sessions", ["most", "500"]);
    await look("/api/session", ["id", "s-long"]);
    await look("/api/output", ["id", "s-long"]);
    await look("/api/output", ["id", session]);
    await look("/api/worktrees");
    await look("/api/worktrees", ["size", "1"]);
    await look("/api/journal", ["most", "500"]);
    await look("/api/journal", ["event", "none"]);
    await look("/api/journal", ["session", "none"], ["before", "500000"]);
    await look("/api/timeline");
    await look("/api/timeline", plan);
    await look("/api/commit", ["hash", shop.repo.git("rev-parse", "HEAD")]);
    await look("/api/doctor");
    await look("/api/start");
    await look("/api/runs", ["most", "500"]);
    await look("/api/changes", plan);
    await look("/api/changes", ["worktree", large]);
    await look("/api/search", ["find", "step 50"]);
    const newest = await look("/api/transcript", ["id", session]);
    expect(newest.events.length).toBeGreaterThan(100);
    await look("/api/transcript", ["id", session], ["before", String(newest.older)], ["log", newest.log]);
    // What is nowhere is looked for in all of it, part by part.
    for (let before: string | null = null; ;) {
      const place = before === null ? [] : ([["before", before]] as const);
      const { older } = await look("/api/transcript", ["id", session], ["find", "nowhere"], ...place);
      if (older === null) break;
      before = String(older);
    }
    await look("/api/transcript", ["id", session], ["errors", "1"]);
  }

  const acted = new Set<string>();
  const preview = async (action: string, ...subject: readonly (readonly [string, string])[]) => {
    acted.add(action);
    return (await look("/api/preview", ["action", action], ...subject)).version as string;
  };
  const act = async (action: string, ...subject: readonly (readonly [string, string])[]) => {
    const version = await preview(action, ...subject);
    asked.add("/api/act");
    const request_id = `${action} ${String(subject.flat())} ${seen.length}`;
    const more = { ...Object.fromEntries(subject), version, request_id, reason: "a test" };
    const { status, body } = await post("/api/act", { action, ...more });
    expect({ action, subject, status, issues: body.issues }).toMatchObject({ status: 200 });
  };
  for (const [name, step] of [
    [LARGE_PLAN, "step-1"],
    [LISTED, "1"],
  ] as const) {
    const subject = [
      ["plan", name],
      ["step", step],
    ] as const;
    const work = (verb: string, ...more: readonly string[]) =>
      expect(shop.json("state", verb, name, ...more, "--worktree", ".").status).toBe("ok");
    await act("hold", ...subject);
    await act("retry", ...subject);
    work("claim");
    await act("release", ...subject);
    work("claim");
    await act("reset", ...subject);
    work("claim");
    work("start", step);
    if (name === LARGE_PLAN) work("update", step, "--all", "completed");
    work("complete", step);
    await act("reopen", ...subject);
    // What is started continues on its own; starting is all that happens in here, and `fix` shows it.
    await preview("run", ["plan", name]);
  }
  await act("read", ["plan", UNREAD]);
  await act("fix");
  await act("merge", plan);
  await act("clean", ["worktree", large]);
  await act("restore", ["session", session]);
  await preview("resume", ["session", session]);
  await preview("verify", ["plan", "plan.md"], ["step", "step-1"]);
  await preview("add", plan, ["title", "One more"]);
  await preview("create");
  await preview("demo");
  await act("tell", plan, ["step", "step-2"]);
  await act("abandon", ["session", session]);
  const { running } = await stuck(shop);
  for (let round = 0; round < ROUNDS; round += 1) {
    await look("/api/overview");
    await look("/api/doing");
    await look("/api/conflict", plan, ["step", "step-1"]);
    await preview("redo", plan, ["step", "step-1"]);
    await preview("merged", plan, ["step", "step-1"]);
    await preview("stop", ["session", running]);
  }
  shop.repo.write(LISTED, `${listed()}- [ ] ${STEPS + 1}. One more\n`);
  await act("decide", ["rule", "plan-changed"], ["subject", LISTED], ["key", "K"]);
  shop.json("state", "claim", LARGE_PLAN, "--worktree", ".", "--lease-duration", "1");
  await until(() =>
    (shop.json("recover", "--dry-run").data.findings as readonly { automatic: unknown }[]).some(
      ({ automatic }) => automatic,
    ),
  );
  await act("repair");
  asked.add("/api/ticket");
  await post("/api/ticket", {});

  const longest = new Map<string, number>();
  for (const { name, ms } of seen) longest.set(name, Math.min(longest.get(name) ?? Infinity, ms));
  const sorted = [...longest].sort(([, a], [, b]) => b - a);
  console.log(JSON.stringify(sorted.slice(0, 15)));
  expect(sorted.filter(([, ms]) => ms > 40)).toEqual([]);
  expect([...asked].sort()).toEqual([...new Set(ROUTES.map(({ path }) => path))].sort());
  expect([...acted].sort()).toEqual(ACTIONS.map(({ name }) => name).sort());
});
