import { expect, it } from "vitest";
import { serializeTurns } from "./serialize-turns.ts";

it("lets one pass in each turn of the loop, in the order in which they came", async () => {
  const pass = serializeTurns();
  let turn = 0;
  let isOver = false;
  const count = (): void => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  count();
  const turns = await Promise.all(
    [0, 1, 2, 3].map(async (one) => {
      await pass();
      return { one, turn };
    }),
  );
  isOver = true;
  expect(turns.map(({ one }) => one)).toEqual([0, 1, 2, 3]);
  expect(new Set(turns.map((each) => each.turn)).size).toBe(4);
});
