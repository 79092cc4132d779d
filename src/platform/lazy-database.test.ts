import { expect, it } from "vitest";
import { Failure } from "../domain/errors.ts";
import { lazyDatabase } from "./lazy-database.ts";
import type { Database } from "./ports/database.ts";

function stage() {
  let isThere = false;
  let times = 0;
  const database = lazyDatabase(async ({ create }) => {
    times += 1;
    await new Promise(setImmediate);
    if (!isThere && !create) throw new Error("there is none");
    isThere = true;
    return { where: String(times) } as Database;
  });
  return { database, times: () => times };
}

it("opens once for all who ask", async () => {
  const { database, times } = stage();
  const all = await Promise.all([database({ create: true }), database(), database({ create: true })]);
  expect([new Set(all).size, times()]).toEqual([1, 1]);
});

it("opens anew after a failure", async () => {
  const { database } = stage();
  await expect(database()).rejects.toThrow("there is none");
  await expect(database({ create: true })).resolves.toBeDefined();
  await expect(database()).resolves.toBeDefined();
});

it("makes it for the call that asks for it while others find none", async () => {
  const { database, times } = stage();
  const looking = database();
  const making = [database({ create: true }), database({ create: true })];
  await expect(looking).rejects.toThrow("there is none");
  const [first, second] = await Promise.all(making);
  expect([first === second, times()]).toEqual([true, 2]);
});

it.each([
  ["the database itself", "state.db", 2],
  ["but not for its log alone", "state.db-wal", 1],
])("opens anew what was replaced: %s", async (_what, path, times) => {
  const opened: number[] = [];
  const replaced = async () => {
    throw new Failure("store/replaced", "It was replaced.", { path });
  };
  const database = lazyDatabase(async () => {
    opened.push(opened.length);
    return { where: "state.db", read: replaced, write: replaced } as unknown as Database;
  });
  const first = await database();
  await expect(first.write(async () => 1)).rejects.toThrow("It was replaced.");
  await expect(first.read(async () => 1)).rejects.toThrow("It was replaced.");
  await database();
  await database();
  expect(opened).toHaveLength(times);
});
