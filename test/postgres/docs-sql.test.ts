import { Client } from "pg";
import { expect, test } from "vitest";
import { openPostgres } from "../../src/platform/postgres/open-postgres.ts";
import { docBlocks } from "../support/doc-blocks.ts";
import { sharedServer, urlWith } from "./shared-server.ts";

const shared = sharedServer();
const [setUp = "", ownSchemas = "", oneSchema = "", worker = "", ...more] = docBlocks("docs/many-machines.md")
  .filter(({ language }) => language === "sql")
  // Under another name: `pawl` is who owns the server of these tests.
  .map(({ text }) => text.replaceAll(/\bpawl\b/g, "reader"));

/** Each statement by itself: making a database is not possible among others. */
async function carryOut(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of sql.split(";")) if (statement.trim() !== "") await client.query(statement);
  } finally {
    await client.end();
  }
}

const as = (username: string, password: string, database: string): string =>
  urlWith(shared.url, { username, password: encodeURIComponent(password), pathname: `/${database}` });

const useIt = async (url: string, repositoryId: string): Promise<void> => {
  const database = await openPostgres({ url, repositoryId, create: true });
  await database.close();
};

test("the set-up of the page gives Pawl a database of its own", async () => {
  expect(more).toEqual([]);
  await carryOut(shared.url, setUp);
  await expect(useIt(as("reader", "choose one", "reader"), "my_project")).resolves.toBeUndefined();
  await carryOut(shared.url, "drop database reader; drop role reader");
});

test("the rights of the page are enough, for its owner and for workers", async () => {
  await carryOut(shared.url, "create database team; revoke all on database team from public");
  await carryOut(shared.url, ownSchemas);
  await expect(useIt(as("reader", "choose one", "team"), "other_project")).resolves.toBeUndefined();
  await carryOut(shared.url, "revoke all on database team from reader");
  const team = urlWith(shared.url, { pathname: "/team" });
  await carryOut(team, oneSchema);
  await expect(useIt(as("reader", "choose one", "team"), "my_project")).resolves.toBeUndefined();
  await carryOut(team, worker);
  await expect(useIt(as("pawl_worker", "another one", "team"), "my_project")).resolves.toBeUndefined();
});
