import { describe, expect, onTestFinished, test } from "vitest";
import type { Database, Params, Statement } from "../../src/platform/ports/database.ts";
import { connect } from "../../src/platform/postgres/connection.ts";
import { openPostgres } from "../../src/platform/postgres/open-postgres.ts";
import { postgresDatabase } from "../../src/platform/postgres/postgres-database.ts";
import { wasCommitted } from "../../src/platform/postgres/was-committed.ts";
import { appendEvent } from "../../src/journal/sql/append-event.ts";
import { until } from "../support/until.ts";
import { type Fate, type Proxy, startProxy } from "./proxy.ts";
import { freshId, schemaOf, ownServer, urlWith } from "./shared-server.ts";

const shared = ownServer();

const SETTING: Statement<{ name: string }, { value: string }> = {
  text: "select current_setting(:name) as value",
  locks: undefined,
};
const BACKEND: Statement<Params, { pid: number }> = {
  text: "select pg_backend_pid() as pid",
  locks: undefined,
};
const FAIL: Statement<Params, never> = { text: "select 1 / 0", locks: undefined };

const COLLIDE: Statement<Params, never> = {
  text: "do $$ begin raise exception 'as if' using errcode = '40P01'; end $$",
  locks: undefined,
};

async function open(url = shared.url, repositoryId = freshId()): Promise<Database & { id: string }> {
  const database = await openPostgres({ url, repositoryId, create: true });
  onTestFinished(() => database.close().catch(() => undefined));
  return { ...database, id: repositoryId };
}

async function proxied(decide: (text: string) => Fate): Promise<Proxy> {
  const proxy = await startProxy(shared.server.port, ({ text }) => decide(text));
  onTestFinished(proxy.close);
  return proxy;
}

const line = (event: string, at: string) => ({
  now: at,
  plan_path: "plan.md",
  anchor: "step-1",
  event,
  claim: 1,
  worktree: "/w",
  session_id: null,
  detail: "{}",
});

const eventsOf = (id: string) =>
  shared.ask<{ event: string }>(`select event from "${schemaOf(id)}".events order by id`);

describe("a transaction", () => {
  test("counts as done when its connection breaks after the commit arrived", async () => {
    const { id } = await open();
    let cut = 0;
    const proxy = await proxied((text) => (text === "commit" && (cut += 1) === 1 ? "cut-after" : "pass"));
    const database = await open(proxy.through(shared.url), id);
    let tries = 0;
    const answer = await database.write(async (sql) => {
      tries += 1;
      await sql.run(appendEvent, line("first", sql.now));
      return "told";
    });
    expect({ answer, tries, cut }).toEqual({ answer: "told", tries: 1, cut: 1 });
    expect(await eventsOf(id)).toEqual([{ event: "first" }]);
  });

  test("is tried again when its connection breaks before the commit arrived", async () => {
    const { id } = await open();
    let cut = 0;
    const proxy = await proxied((text) => (text === "commit" && (cut += 1) === 1 ? "cut-before" : "pass"));
    const database = await open(proxy.through(shared.url), id);
    let tries = 0;
    await database.write(async (sql) => {
      tries += 1;
      await sql.run(appendEvent, line(`try ${tries}`, sql.now));
    });
    expect(tries).toBe(2);
    expect(await eventsOf(id)).toEqual([{ event: "try 2" }]);
  });

  test("is tried again when the server ends its connection between two statements", async () => {
    const database = await open();
    let tries = 0;
    await database.write(async (sql) => {
      tries += 1;
      await sql.run(appendEvent, line(`try ${tries}`, sql.now));
      if (tries === 1) {
        const backend = await sql.get(BACKEND, {});
        await shared.ask("select pg_terminate_backend($1)", backend!.pid);
        const left = () => shared.ask("select 1 from pg_stat_activity where pid = $1", backend!.pid);
        await until(async () => (await left()).length === 0, "its connection is gone");
      }
      await sql.run(appendEvent, line(`then ${tries}`, sql.now));
    });
    expect(await eventsOf(database.id)).toEqual([{ event: "try 2" }, { event: "then 2" }]);
  });

  test("waits for a server that restarts", async () => {
    const database = await open();
    await database.write((sql) => sql.run(appendEvent, line("before", sql.now)));
    const restart = shared.server.crashAndRestart();
    await database.write((sql) => sql.run(appendEvent, line("after", sql.now)));
    await restart;
    expect(await eventsOf(database.id)).toEqual([{ event: "before" }, { event: "after" }]);
  });

  test("does not wait for ever for a server that stops answering", async () => {
    const { id } = await open();
    let swallowed = 0;
    const proxy = await proxied((text) =>
      text.startsWith("insert into events") && (swallowed += 1) === 1 ? "swallow" : "pass",
    );
    const server = await connect(proxy.through(shared.url), { connectMs: 2000, answerMs: 300 });
    onTestFinished(server.end);
    const database = postgresDatabase({ server, schema: `"${schemaOf(id)}"` });
    await database.write((sql) => sql.run(appendEvent, line("heard", sql.now)));
    expect(swallowed).toBe(2);
    expect(await eventsOf(id)).toEqual([{ event: "heard" }]);
  });

  test("that passes over a failed statement is refused, because the server undid it", async () => {
    const database = await open();
    const work = database.write(async (sql) => {
      await sql.run(appendEvent, line("lost", sql.now));
      await sql.run(FAIL, {}).catch(() => undefined);
    });
    await expect(work).rejects.toMatchObject({ problem: "internal/bug" });
    expect(await eventsOf(database.id)).toEqual([]);
  });

  test("is judged by what failed first, also where no caller waited for that: a collision is tried again", async () => {
    const database = await open();
    let tried = 0;
    await database.write(async (sql) => {
      if ((tried += 1) === 1) sql.send(COLLIDE, {});
      await sql.run(appendEvent, line("second", sql.now));
    });
    expect([tried, await eventsOf(database.id)]).toEqual([2, [{ event: "second" }]]);
  });

  test("sets all that it depends on for itself, and leaves nothing behind", async () => {
    const database = await open();
    const names = ["search_path", "statement_timeout", "idle_in_transaction_session_timeout"];
    const inside = await database.write(async (sql) =>
      Promise.all(names.map(async (name) => (await sql.get(SETTING, { name }))?.value)),
    );
    expect(inside).toEqual([`"${schemaOf(database.id)}"`, "30s", "1min"]);
    const server = await connect(shared.url);
    onTestFinished(server.end);
    const used = postgresDatabase({ server, schema: `"${schemaOf(database.id)}"` });
    const backend = await used.read((sql) => sql.get(BACKEND, {}));
    const { rows } = await server.pool.query(
      `select pg_backend_pid() as pid, ${names.map((name) => `current_setting('${name}') as ${name}`).join(", ")}`,
    );
    expect(rows).toEqual([
      {
        pid: backend!.pid,
        search_path: '"$user", public',
        statement_timeout: "0",
        idle_in_transaction_session_timeout: "0",
      },
    ]);
  });

  test("waits for the disk, even where the role's settings say not to", async () => {
    const { id } = await open();
    await shared.ask("create role hasty login superuser password 'hasty'");
    await shared.ask("alter role hasty set synchronous_commit = off");
    const database = await open(urlWith(shared.url, { username: "hasty", password: "hasty" }), id);
    const value = await database.write((sql) => sql.get(SETTING, { name: "synchronous_commit" }));
    expect(value).toEqual({ value: "on" });
  });
});

describe("a connection", () => {
  const NOTE: Statement<{ event: string }, { n: number }> = {
    text: "select count(*) as n from events where event = :event",
    locks: undefined,
  };
  const STEPS: Statement<Params, object> = { text: "select * from steps", locks: undefined };

  test("that no pooler stands in gets each statement once", async () => {
    const { id } = await open();
    const parsed: { name: string; text: string }[] = [];
    const proxy = await startProxy(shared.server.port, (query) => {
      if (query.text === "select count(*) as n from events where event = $1") parsed.push(query);
      return "pass";
    });
    onTestFinished(proxy.close);
    const database = await open(proxy.through(shared.url), id);
    for (let time = 0; time < 3; time += 1)
      expect(await database.read((sql) => sql.get(NOTE, { event: "none" }))).toEqual({ n: 0 });
    expect(parsed).toEqual([expect.objectContaining({ name: expect.stringMatching(/^pawl_/) })]);
  });

  test("that remembers statements of an older schema, or none, is replaced", async () => {
    const server = await connect(shared.url);
    const { id } = await open();
    onTestFinished(server.end);
    const database = postgresDatabase({ server, schema: `"${schemaOf(id)}"` });
    await database.read((sql) => sql.all(STEPS, {}));
    await shared.ask(`alter table "${schemaOf(id)}".steps add column later text`);
    expect(await database.read((sql) => sql.all(STEPS, {}))).toEqual([]);
    await server.pool.query("deallocate all");
    expect(await database.read((sql) => sql.all(STEPS, {}))).toEqual([]);
  });
});

describe("a commit whose answer was lost", () => {
  test("did not happen when the journal lacks its line, though the server calls its number committed", async () => {
    const { id } = await open();
    const server = await connect(shared.url);
    onTestFinished(server.end);
    // After a crash the number of a lost transaction may be given to another one, which then commits.
    const [other] = await shared.ask<{ xid: string }>("select pg_current_xact_id()::text as xid");
    const unanswered = { transaction: other!.xid, line: line("lost", "2026-11-15T18:33:00.000Z") };
    expect(await wasCommitted(server, `"${schemaOf(id)}"`, unanswered)).toBe(false);
  });

  test("did not happen when the server has not come to its number yet", async () => {
    const { id } = await open();
    const server = await connect(shared.url);
    onTestFinished(server.end);
    const unanswered = { transaction: "9000000000", line: line("lost", "2026-11-15T18:33:00.000Z") };
    expect(await wasCommitted(server, `"${schemaOf(id)}"`, unanswered)).toBe(false);
  });

  test("is waited for while its backend is still at work", async () => {
    const database = await open();
    let asked = 0;
    const proxy = await proxied((text) => {
      if (text.includes("pg_xact_status")) asked += 1;
      return "pass";
    });
    const server = await connect(proxy.through(shared.url));
    onTestFinished(server.end);
    const client = await server.pool.connect();
    await client.query("begin");
    const { rows } = await client.query<{ xid: string }>("select pg_current_xact_id()::text as xid");
    const at = "2026-11-15T18:33:00.000Z";
    await client.query(
      `insert into "${schemaOf(database.id)}".events (at, plan_path, anchor, event, claim, worktree, detail)
       values ($1, 'plan.md', 'step-1', 'slow', 1, '/w', '{}')`,
      [at],
    );
    const outcome = wasCommitted(server, `"${schemaOf(database.id)}"`, {
      transaction: rows[0]!.xid,
      line: line("slow", at),
    });
    await until(() => asked > 1, "it was asked about more than once");
    await client.query("commit");
    client.release();
    expect(await outcome).toBe(true);
  });
});
