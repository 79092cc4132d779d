import { once } from "node:events";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { compose } from "../../src/compose.ts";
import { type Pawl, pawlOn } from "../../src/api.ts";
import { pawlAsync, pawlJson } from "../support/cli.ts";
import { flatPlan, SMALL_PLAN } from "../support/plans.ts";
import { testRepository } from "../support/repository.ts";
import { dump, type Row, withDatabase } from "../support/world.ts";
import { buildProgram } from "./built-program.ts";
import { clones, PLAN } from "./clones.ts";
import { openClone, repositoryIdOf } from "./drain.ts";
import { problemsOnServer, rowsOf } from "./server-world.ts";
import { freshId, schemaOf, sharedServer } from "./shared-server.ts";

const shared = sharedServer();
const TO_SERVER = { from: "sqlite", to: "postgres" } as const;
const TO_FILE = { from: "postgres", to: "sqlite" } as const;

interface Shop {
  readonly path: string;
  readonly worktree: string;
  readonly id: string;
  readonly database: string;
  readonly env: Readonly<Record<string, string>>;
  /** With the embedded store, or with the server. */
  readonly open: (where: "file" | "server") => Promise<Pawl>;
}

/** A repository whose embedded database holds a little of everything; a linked worktree holds a step. */
async function shop(): Promise<Shop & { readonly claim: number }> {
  const repository = testRepository();
  onTestFinished(repository.remove);
  const { path } = repository;
  repository.write(PLAN, SMALL_PLAN);
  repository.git("add", "-A");
  repository.git("commit", "-q", "-m", "plan");
  repository.git("config", "user.name", "Test");
  repository.git("config", "user.email", "test@example.invalid");
  const worktree = repository.addWorktree("linked");
  const id = freshId();
  const env = { PAWL_DATABASE_URL: shared.url, PAWL_REPOSITORY_ID: id, PAWL_HOST_ID: "here" };
  const open: Shop["open"] = async (where) => {
    const pawl = pawlOn(
      await compose({ cwd: path, env: where === "server" ? env : { PAWL_HOST_ID: "here" } }),
    );
    onTestFinished(() => pawl.close().catch(() => undefined));
    return pawl;
  };
  const pawl = await open("file");
  const claim = await fill(pawl, path, worktree);
  await pawl.close();
  const database = join(path, ".git/pawl/state.db");
  fillRuns(database);
  return { path, worktree, id, database, env, open, claim };
}

/** What a run leaves: where it was, and what verification found. */
const fillRuns = (database: string): void =>
  withDatabase(database, (connection) => {
    connection.exec(`
      update sessions set run_id = 'r-1', kind = 'run', iteration = 2, configuration = '{"workers":1}';
      insert into checkpoints (session_id, number, plan_path, anchor, claim, iteration, position, command, type,
                               started_at, outcome, files_modified, ended_at)
      select id, 1, '${PLAN}', 'step-0', 1, 1, 0, 'implement', 'implement_spec', started_at, 'finished',
             '["ä.txt"]', started_at
        from sessions;
      insert into attempts (plan_path, anchor, number, claim, tree, started_at)
      select '${PLAN}', 'step-0', 1, 1, 'abc', started_at from sessions;
      insert into verdicts (plan_path, anchor, attempt, claim, outcome, because, evidence, tree, recorded_at)
      select '${PLAN}', 'step-0', 1, 1, 'failed', 'because', '[]', 'abc', started_at from sessions;
      insert into landings (plan_path, anchor, claim, number, branch, clone, base, base_tree, tree, joined_at)
      select '${PLAN}', 'step-0', 1, 1, 'pawl/plan', '', 'c', 'b', 'abc', started_at from sessions;
      insert into tree_verdicts (tree, checks, place, kind, outcome, because, evidence, recorded_at)
      select 'abc', '[["true"]]', 'clean', 'step', 'passed', 'because', '[]', started_at from sessions;
      insert into usage (session_id, number, plan_path, anchor, claim, attempt, agent, input_tokens, output_tokens,
                         cost_micros, recorded_at)
      select id, 1, '${PLAN}', 'step-0', 1, 1, 'claude', 1200, 34, 56789, started_at from sessions;`);
  });

async function fill(pawl: Pawl, path: string, worktree: string): Promise<number> {
  const plan = PLAN;
  await pawl.init({ plan });
  const first = await pawl.claim({ plan, worktree: path, requestId: "r-1" });
  const who = { plan, step: "step-0", worktree: path, claim: first.claim! };
  await pawl.start(who);
  await pawl.update({
    ...who,
    changes: [{ all: true, status: "deferred" }],
    reason: "später, “vielleicht” 🙂\nzweite Zeile",
  });
  await pawl.artifact({ ...who, kind: "auditor_summary", summary: "fine", content: "much more\ttext" });
  await pawl.release({ plan, step: "step-0", reason: "by force" });
  await pawl.complete(who).catch(() => undefined);
  const again = await pawl.claim({ plan, worktree: path });
  await pawl.start({ ...who, claim: again.claim! });
  await pawl.complete({ ...who, claim: again.claim!, forceReason: "enough" });
  const session = await pawl.openSession({ plan, worktree });
  await session.end("completed");
  const held = await pawl.claim({ plan, worktree });
  const holder = { plan, step: held.anchor!, worktree, claim: held.claim! };
  await pawl.start(holder);
  // Its items are open: the commit is made, and its intent stays open.
  expect(await pawl.commit({ ...holder, allowEmpty: true })).toMatchObject({ stateUpdateFailed: true });
  return held.claim!;
}

/** What must be the same on both sides: all but the numbers that each database gives by itself, and whose clone it is. */
function comparable(tables: Readonly<Record<string, readonly Row[]>>): Record<string, string[]> {
  const plain = (row: Row): string => {
    const { id, ...rest } = row;
    const kept = typeof id === "string" ? { id, ...rest } : rest;
    const entries = Object.entries(kept).map(([name, value]) => [
      name,
      name.endsWith("worktree_id") && typeof value === "string" ? value.replace(/^.*\//, "") : value,
    ]);
    return JSON.stringify(
      Object.fromEntries(entries.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))),
    );
  };
  const left = new Set(["schema_version", "step_transitions", "sqlite_sequence", "sqlite_stat1"]);
  return Object.fromEntries(
    Object.entries(tables)
      .filter(([name]) => !left.has(name))
      .map(([name, rows]) => [name, rows.map(plain).sort()]),
  );
}

const onServer = async (id: string) => comparable(await rowsOf(shared.url, schemaOf(id)));

describe("moving state to a server", () => {
  test("copies every row of every table, and says how many, and their hash", async () => {
    const { path, id, database, env } = await shop();
    const wanted = comparable(dump(database));
    const answer = pawlJson({ cwd: path, env }, "state", "migrate", "--from", "sqlite", "--to", "postgres");
    expect(answer).toMatchObject({ code: 0, status: "ok", data: { copied: true } });
    expect(await onServer(id)).toEqual(wanted);
    const told = answer.data["tables"] as { table: string; rows: number; sha256: string }[];
    for (const [table, rows] of Object.entries(wanted)) {
      const line = told.find((one) => one.table === table);
      expect([table, line?.rows]).toEqual([table, rows.length]);
      expect(line?.sha256).toMatch(/^[0-9a-f]{64}$/);
    }
    expect(told.filter(({ rows }) => rows > 0).map(({ table }) => table)).toEqual([
      "plans", "steps", "step_deps", "checklist_items", "step_artifacts", "plan_snapshots", "sessions", "events",
      "requests", "late_results", "commit_intents", "checkpoints", "attempts", "verdicts", "landings",
      "tree_verdicts", "usage",
    ]); // oxfmt-ignore
    expect(comparable(dump(database))).toEqual(wanted);
    expect(await problemsOnServer(shared.url, schemaOf(id))).toEqual([]);
  });

  test("does nothing the second time, and never overwrites", async () => {
    const { id, open, claim, worktree } = await shop();
    const pawl = await open("server");
    expect(await pawl.copyStore(TO_SERVER)).toMatchObject({ copied: true });
    expect(await pawl.copyStore(TO_SERVER)).toMatchObject({ copied: false });
    await pawl.heartbeat({ plan: PLAN, step: "step-1", worktree, claim });
    const before = await onServer(id);
    await expect(pawl.copyStore(TO_SERVER)).rejects.toMatchObject({ problem: "store/not-empty" });
    expect(await onServer(id)).toEqual(before);
  });

  test("leaves a held step to the worktree that holds it, and to no other", async () => {
    const { path, worktree, open, claim } = await shop();
    await (await open("server")).copyStore(TO_SERVER);
    const pawl = await open("server");
    const step = { plan: PLAN, step: "step-1" };
    await expect(pawl.heartbeat({ ...step, worktree: path })).rejects.toMatchObject({
      problem: "claim/not-owner",
    });
    expect(await pawl.claim({ plan: PLAN, worktree: path })).toMatchObject({ claimed: false });
    await pawl.heartbeat({ ...step, worktree, claim });
    for (const substep of ["step-1-1", "step-1-2"])
      await pawl.complete({ plan: PLAN, step: substep, worktree, claim, forceReason: "done" });
    await pawl.complete({ ...step, worktree, claim, forceReason: "done" });
    expect(await pawl.claim({ plan: PLAN, worktree })).toMatchObject({ anchor: "step-2" });
  });

  test("waits until no session is running, and says whose is, and until when", async () => {
    const { id, worktree, open, claim } = await shop();
    const local = await open("file");
    await local.release({ plan: PLAN, step: "step-1", worktree, claim });
    const session = await local.openSession({ plan: PLAN, worktree });
    const held = await local.claim({ plan: PLAN, worktree, session: session.id });
    const pawl = await open("server");
    const refused = await pawl.copyStore(TO_SERVER).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: "E087",
      message: `step-1 of ${PLAN} is held by session ${session.id} in ${worktree} on here, until ${held.leaseExpires}.`,
      details: { held: [{ anchor: "step-1", session_id: session.id, until: held.leaseExpires }] },
    });
    expect(Object.values(await onServer(id)).flat()).toEqual([]);
    await session.end("completed");
    expect(await pawl.copyStore(TO_SERVER)).toMatchObject({ copied: true });
  });

  test("does not wait for a session that is dead, though this machine has another name in the file", async () => {
    const repository = testRepository();
    onTestFinished(repository.remove);
    const { path: cwd } = repository;
    repository.write(PLAN, SMALL_PLAN);
    repository.git("add", "-A");
    repository.git("commit", "-q", "-m", "plan");
    pawlJson({ cwd }, "state", "init", PLAN);
    await pawlAsync({ cwd }, "run", PLAN, "--workers", "1", "--", "sh", "-c", "kill -9 $PPID");
    const env = { PAWL_DATABASE_URL: shared.url, PAWL_REPOSITORY_ID: freshId() };
    const moved = pawlJson({ cwd, env }, "state", "migrate", "--from", "sqlite", "--to", "postgres");
    expect(moved).toMatchObject({ code: 0, data: { copied: true } });
    const interrupted = { sessions: [{ status: "interrupted", here: true }] };
    expect(pawlJson({ cwd, env }, "sessions", "list").data).toMatchObject(interrupted);
    expect(pawlJson({ cwd, env }, "state", "claim", PLAN, "--worktree", ".").data).toMatchObject({
      claimed: true,
      reclaimed: true,
    });
    const back = pawlJson({ cwd, env }, "state", "migrate", "--from", "postgres", "--to", "sqlite");
    expect(back).toMatchObject({ code: 0, data: { copied: true } });
    expect(pawlJson({ cwd }, "state", "heartbeat", PLAN, "step-0", "--worktree", ".").code).toBe(0);
  });

  test("leaves the server empty when it is killed on the way, and works afterwards", async () => {
    const { path, id, env, open } = await shop();
    const program = await buildProgram("copy");
    onTestFinished(program.remove);
    for (const rows of [1, 12, 30]) {
      const child = program.start({ cwd: path, rows, ...TO_SERVER }, env);
      const [, signal] = (await once(child, "exit")) as [number, string];
      expect(signal).toBe("SIGKILL");
      expect(Object.values(await onServer(id)).flat()).toEqual([]);
    }
    expect(await (await open("server")).copyStore(TO_SERVER)).toMatchObject({ copied: true });
  });
});

describe("moving state back into the file", () => {
  test("gives what was there before", async () => {
    const { path, worktree, database, open, claim } = await shop();
    const wanted = dump(database);
    const pawl = await open("server");
    await pawl.copyStore(TO_SERVER);
    await expect(pawl.copyStore(TO_FILE)).resolves.toMatchObject({ copied: false });
    for (const end of ["", "-wal", "-shm"]) rmSync(`${database}${end}`, { force: true });
    expect(await pawl.copyStore(TO_FILE)).toMatchObject({ copied: true });
    const { schema_version, sqlite_sequence, ...found } = dump(database);
    expect(schema_version).toEqual(wanted["schema_version"]);
    expect(sqlite_sequence).toBeDefined();
    expect(comparable(found)).toEqual(comparable(wanted));
    const local = await open("file");
    await local.heartbeat({ plan: PLAN, step: "step-1", worktree, claim });
    await expect(local.heartbeat({ plan: PLAN, step: "step-1", worktree: path })).rejects.toMatchObject({
      problem: "claim/not-owner",
    });
  });

  test("leaves the file empty when it is killed on the way, and works afterwards", async () => {
    const { path, database, env, open } = await shop();
    const pawl = await open("server");
    await pawl.copyStore(TO_SERVER);
    for (const end of ["", "-wal", "-shm"]) rmSync(`${database}${end}`, { force: true });
    const program = await buildProgram("copy");
    onTestFinished(program.remove);
    const child = program.start({ cwd: path, rows: 20, ...TO_FILE }, env);
    expect((await once(child, "exit"))[1]).toBe("SIGKILL");
    expect(Object.values(comparable(dump(database))).flat()).toEqual([]);
    expect(await pawl.copyStore(TO_FILE)).toMatchObject({ copied: true });
  });

  test("keeps what belongs to other clones theirs, on the way back too", async () => {
    const all = clones(shared.url, SMALL_PLAN);
    onTestFinished(all.remove);
    const [a, b] = [all.clone("host-a"), all.clone("host-b")];
    const [atA, atB] = [await openClone(a), await openClone(b)];
    await atA.init({ plan: PLAN });
    const { claim } = await atB.claim({ plan: PLAN, worktree: b.path });
    await atA.copyStore(TO_FILE);
    await Promise.all([atA.close(), atB.close()]);
    expect(repositoryIdOf(a)).toBe(repositoryIdOf(b));
    const elsewhere = { PAWL_REPOSITORY_ID: freshId() };
    const [newA, newB] = [await openClone(a, elsewhere), await openClone(b, elsewhere)];
    await newA.copyStore(TO_SERVER);
    await newB.start({ plan: PLAN, step: "step-0", worktree: b.path, claim: claim! });
    await expect(newA.heartbeat({ plan: PLAN, step: "step-0", worktree: a.path })).rejects.toMatchObject({
      problem: "claim/not-owner",
    });
    await Promise.all([newA.close(), newB.close()]);
  });
});

describe("state that was moved", () => {
  test("is not continued in the file it came from by a clone that lacks the server's address", async () => {
    const { path, worktree, open, claim, database } = await shop();
    await (await open("server")).copyStore(TO_SERVER);
    const before = dump(database);
    const answer = pawlJson({ cwd: path }, "state", "heartbeat", PLAN, "step-1", "--worktree", worktree);
    expect(answer).toMatchObject({ code: 3, issues: [{ code: "E280" }] });
    expect(JSON.stringify(answer)).not.toContain(new URL(shared.url).password || "no password");
    expect(pawlJson({ cwd: path }, "state", "init", PLAN)).toMatchObject({ code: 3 });
    expect(dump(database)).toEqual(before);
    await (await open("server")).heartbeat({ plan: PLAN, step: "step-1", worktree, claim });
  });

  test("comes back with all that happened meanwhile; what the file held is kept beside", async () => {
    const { path, worktree, open, claim } = await shop();
    const server = await open("server");
    await server.copyStore(TO_SERVER);
    await server.release({ plan: PLAN, step: "step-1", worktree, claim });
    expect(await server.copyStore(TO_FILE)).toMatchObject({ copied: true });
    const local = await open("file");
    expect(await local.claim({ plan: PLAN, worktree: path })).toMatchObject({ anchor: "step-1" });
    const aside = readdirSync(join(path, ".git/pawl/saved")).find((name) => name.startsWith("moved-"));
    expect(dump(join(path, ".git/pawl/saved", aside!, "state.db"))["steps"]).toContainEqual(
      expect.objectContaining({ anchor: "step-1", status: "in_progress" }),
    );
  });
});

describe("a server whose state was moved into a file", () => {
  /** Two machines that worked on the server; the first has taken the state home. */
  async function takenHome() {
    const all = clones(shared.url, SMALL_PLAN);
    onTestFinished(all.remove);
    const [a, b] = [all.clone("host-a"), all.clone("host-b")];
    const [atA, atB] = [await openClone(a), await openClone(b)];
    onTestFinished(async () => {
      await Promise.all([atA.close(), atB.close()]);
    });
    await atA.init({ plan: PLAN });
    await atB.show({ plan: PLAN });
    expect(await atA.copyStore(TO_FILE)).toMatchObject({ copied: true });
    const file = { cwd: a.path, env: { PAWL_HOST_ID: "host-a" } };
    const migrate = (clone: typeof a, { from, to }: typeof TO_FILE | typeof TO_SERVER) =>
      pawlJson({ cwd: clone.path, env: clone.env }, "state", "migrate", "--from", from, "--to", to);
    return { a, b, atA, atB, file, migrate };
  }

  test("says so to every other machine, also to those that had it open", async () => {
    const { a, b, atB } = await takenHome();
    const claim = { plan: PLAN, worktree: b.path };
    await expect(atB.claim(claim)).rejects.toMatchObject({ code: "E321" });
    const answer = pawlJson({ cwd: b.path, env: b.env }, "state", "show", PLAN);
    expect(answer).toMatchObject({
      code: 3,
      issues: [{ code: "E321", message: expect.stringContaining(`${a.path}/.git/pawl on machine host-a`) }],
    });
  });

  test("gives it to no other server, and takes nothing older instead", async () => {
    const { a, b, file, migrate } = await takenHome();
    expect(migrate(b, TO_FILE)).toMatchObject({ code: 3, issues: [{ code: "E321" }] });
    expect(migrate(a, TO_FILE)).toMatchObject({ code: 0, data: { copied: false } });
    expect(pawlJson(file, "state", "claim", PLAN, "--worktree", ".").data).toMatchObject({ claimed: true });
    expect(migrate(b, TO_SERVER)).toMatchObject({ code: 3 });
  });

  test("gets it back with all that happened meanwhile; what it held is kept beside", async () => {
    const { a, b, file, migrate } = await takenHome();
    expect(pawlJson(file, "state", "claim", PLAN, "--worktree", ".").data).toMatchObject({ claimed: true });
    expect(migrate(a, TO_SERVER)).toMatchObject({ code: 0, data: { copied: true } });
    expect(migrate(a, TO_SERVER)).toMatchObject({ code: 0, data: { copied: false } });
    expect(pawlJson({ cwd: b.path, env: b.env }, "state", "ready", PLAN).data).toMatchObject({
      held: [{ anchor: "step-0" }],
    });
    const schemas = await shared.ask<{ nspname: string }>(
      "select nspname from pg_namespace where nspname like $1",
      `${schemaOf(repositoryIdOf(a))}_moved_%`,
    );
    expect(schemas).toHaveLength(1);
  });

  test("takes what was acknowledged with it, and acknowledges nothing after it", async () => {
    const all = clones(shared.url, flatPlan(40));
    onTestFinished(all.remove);
    const [a, b] = [all.clone("host-a"), all.clone("host-b")];
    const [atA, atB] = [await openClone(a), await openClone(b)];
    onTestFinished(async () => {
      await Promise.all([atA.close(), atB.close()]);
    });
    await atA.init({ plan: PLAN });
    const completed: string[] = [];
    const work = async (): Promise<unknown> => {
      for (;;) {
        const { anchor, claim } = await atB.claim({ plan: PLAN, worktree: b.path, start: true });
        if (anchor === null) throw new Error("the plan was done before it was moved");
        await atB.complete({ plan: PLAN, step: anchor, worktree: b.path, claim: claim!, forceReason: "t" });
        completed.push(anchor);
      }
    };
    const worker = work().catch((error: unknown) => error);
    while (completed.length < 3) await new Promise(setImmediate);
    await atA.copyStore(TO_FILE);
    expect(await worker).toMatchObject({ code: "E321" });
    const ready = pawlJson({ cwd: a.path, env: { PAWL_HOST_ID: "host-a" } }, "state", "ready", PLAN).data;
    expect((ready as { completed: { anchor: string }[] }).completed.map(({ anchor }) => anchor)).toEqual(
      completed,
    );
  });
});

test("nothing is copied onto itself, or without a server", async () => {
  const { open } = await shop();
  await expect((await open("server")).copyStore({ from: "sqlite", to: "sqlite" })).rejects.toMatchObject({
    problem: "usage/wrong",
  });
  await expect((await open("file")).copyStore(TO_SERVER)).rejects.toMatchObject({
    problem: "store/open-failed",
  });
});
