import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { compose } from "../../src/compose.ts";
import { Failure } from "../../src/domain/errors.ts";
import { allMoves } from "../../src/domain/step-machine.ts";
import { pawlOn } from "../../src/api.ts";
import { openPostgres } from "../../src/platform/postgres/open-postgres.ts";
import { SCHEMA_VERSION } from "../../src/platform/schema-version.ts";
import { MIGRATIONS } from "../../src/platform/migrations/migrations.ts";
import { planText } from "../support/plans.ts";
import { testRepository } from "../support/repository.ts";
import { dumpSchema } from "./catalog.ts";
import { freshId, schemaOf, sharedServer, urlWith } from "./shared-server.ts";

const shared = sharedServer();
const GOLDEN = fileURLToPath(new URL("../conformance/schema.postgres.sql", import.meta.url));

async function made(): Promise<string> {
  const repositoryId = freshId();
  await (await openPostgres({ url: shared.url, repositoryId, create: true })).close();
  return repositoryId;
}

describe("the schema on a server", () => {
  test("is the one that was reviewed", async () => {
    await expect(await dumpSchema(shared.url, schemaOf(await made()))).toMatchFileSnapshot(GOLDEN);
  });

  test("is one, however many make it at once", async () => {
    const repositoryId = freshId();
    const opened = await Promise.all(
      Array.from({ length: 20 }, () => openPostgres({ url: shared.url, repositoryId, create: true })),
    );
    await Promise.all(opened.map((database) => database.close()));
    const schema = schemaOf(repositoryId);
    expect(await dumpSchema(shared.url, schema)).toBe(await dumpSchema(shared.url, schemaOf(await made())));
    expect(await shared.ask(`select version from "${schema}".schema_version`)).toEqual([
      { version: String(SCHEMA_VERSION) },
    ]);
    expect(await shared.ask(`select * from "${schema}".step_transitions`)).toHaveLength(allMoves().length);
  });

  test("is brought up to date from every version before, and holds what it held", async () => {
    for (let version = 1; version < SCHEMA_VERSION; version += 1) {
      const repositoryId = freshId();
      const schema = schemaOf(repositoryId);
      const old = MIGRATIONS.slice(0, version).map((migration) => migration.postgres);
      await shared.ask(
        `create schema "${schema}"; set search_path to "${schema}"; ${old.join(";")};
         update schema_version set version = ${version};
         insert into plans (plan_path, plan_hash, status, created_at, updated_at)
         values ('plan.md', 'hash', 'active', '2026-11-15T18:33:00.000Z', '2026-11-15T18:33:00.000Z')`,
      );
      const database = await openPostgres({ url: shared.url, repositoryId, create: false });
      await database.close();
      expect(await dumpSchema(shared.url, schema)).toBe(await dumpSchema(shared.url, schemaOf(await made())));
      expect(await shared.ask(`select plan_path from "${schema}".plans`)).toEqual([{ plan_path: "plan.md" }]);
    }
  });

  test("is made whole or not at all", async () => {
    const repositoryId = freshId();
    const schema = schemaOf(repositoryId);
    // A table of that name is in the way of the last migration.
    await shared.ask(`create schema "${schema}"`);
    await shared.ask(`create table "${schema}".requests (mine int)`);
    await expect(openPostgres({ url: shared.url, repositoryId, create: true })).rejects.toMatchObject({
      problem: "store/query-failed",
    });
    const tables = await shared.ask("select tablename from pg_tables where schemaname = $1", schema);
    expect(tables).toEqual([{ tablename: "requests" }]);
  });

  test("of a newer Pawl is left alone", async () => {
    const repositoryId = await made();
    await shared.ask(`update "${schemaOf(repositoryId)}".schema_version set version = 99`);
    await expect(openPostgres({ url: shared.url, repositoryId, create: true })).rejects.toMatchObject({
      problem: "store/newer",
    });
  });

  test("that is missing is not made by a verb that only looks", async () => {
    const repositoryId = freshId();
    const failure = await openPostgres({ url: shared.url, repositoryId, create: false }).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(Failure);
    expect((failure as Failure).problem).toBe("plan/not-initialised");
    expect(await shared.ask("select 1 from pg_namespace where nspname = $1", schemaOf(repositoryId))).toEqual(
      [],
    );
  });

  test("can be made by a role that owns it and may do nothing else", async () => {
    const repositoryId = freshId();
    await shared.ask("create role humble login password 'humble'");
    await shared.ask(`create schema "${schemaOf(repositoryId)}" authorization humble`);
    const url = urlWith(shared.url, { username: "humble", password: "humble" });
    const database = await openPostgres({ url, repositoryId, create: true });
    expect(await database.facts()).toMatchObject({
      role: "humble",
      may_create_schemas: "false",
      may_migrate: "true",
      schema_version: SCHEMA_VERSION,
      encryption: "none",
    });
    await database.close();
  });

  test("can be worked with by a role that may only use the tables", async () => {
    const repository = testRepository();
    onTestFinished(repository.remove);
    repository.write("plan.md", planText([{ number: "1", tasks: ["a"] }]));
    const env = { PAWL_DATABASE_URL: shared.url, PAWL_REPOSITORY_ID: freshId() };
    const owner = pawlOn(await compose({ cwd: repository.path, env }));
    await owner.init({ plan: "plan.md" });
    await owner.close();
    const schema = `"${schemaOf(env.PAWL_REPOSITORY_ID)}"`;
    await shared.ask("create role helper login password 'helper'");
    await shared.ask(`grant usage on schema ${schema} to helper`);
    await shared.ask(`grant select, insert, update, delete on all tables in schema ${schema} to helper`);
    const url = urlWith(shared.url, { username: "helper", password: "helper" });
    const helper = pawlOn(await compose({ cwd: repository.path, env: { ...env, PAWL_DATABASE_URL: url } }));
    onTestFinished(() => helper.close());
    const session = await helper.openSession({ plan: "plan.md", worktree: repository.path });
    const step = { plan: "plan.md", step: "step-1", worktree: repository.path, session: session.id };
    const { claim } = await helper.claim({ ...step, requestId: "one" });
    const who = { ...step, claim: claim! };
    await helper.start(who);
    await helper.heartbeat(who);
    await helper.update({ ...who, changes: [{ all: true, status: "completed" }] });
    await helper.artifact({ ...who, kind: "auditor_summary", summary: "fine" });
    expect(await helper.complete(who)).toMatchObject({ allStepsCompleted: true });
    await session.end("completed");
  });

  test("refuses what the tables of the domain forbid", async () => {
    const schema = schemaOf(await made());
    await shared.ask(
      `insert into "${schema}".plans (plan_path, plan_hash, created_at, updated_at) values ('p', 'h', 'n', 'n')`,
    );
    await shared.ask(
      `insert into "${schema}".steps (plan_path, anchor, step_index, title, claim_seq) values ('p', 's', 0, 't', 5)`,
    );
    const change = (what: string) =>
      shared.ask(`set search_path to "${schema}"; update steps set ${what} where anchor = 's'`);
    await expect(change("status = 'completed', last_event = 'completed'")).rejects.toThrow("pawl:transition");
    await expect(change("claim_seq = 4")).rejects.toThrow("pawl:number");
    await expect(change("status = 'claimed', last_event = 'claimed'")).rejects.toThrow(/check constraint/);
    await shared.ask(`insert into "${schema}".events (at, event) values ('n', 'e')`);
    for (const what of ["delete from events", "update events set event = 'x'"])
      await expect(shared.ask(`set search_path to "${schema}"; ${what}`)).rejects.toThrow("pawl:append-only");
  });
});
