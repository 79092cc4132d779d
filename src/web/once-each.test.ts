import { expect, it } from "vitest";
import { onceEach } from "./once-each.ts";

it("does it once for those that ask at the same time and for those that ask later", async () => {
  const once = onceEach(10);
  let times = 0;
  const work = async () => (times += 1);
  expect(await Promise.all([once("a", {}, work), once("a", {}, work)])).toEqual([1, 1]);
  expect(await once("a", {}, work)).toBe(1);
  expect(await once("b", {}, work)).toBe(2);
});

it("refuses an id that was used for something else", async () => {
  const once = onceEach(10);
  await once("a", { action: "run" }, async () => 1);
  await expect(once("a", { action: "mend" }, async () => 2)).rejects.toThrow("another call");
});

it("tells a failure to all that wait for it, and lets the next one try again", async () => {
  const once = onceEach(10);
  const fail = async () => Promise.reject(new Error("busy"));
  const both = await Promise.allSettled([once("a", {}, fail), once("a", {}, fail)]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await once("a", {}, async () => "done")).toBe("done");
});

it("forgets the oldest first", async () => {
  const once = onceEach(2);
  let times = 0;
  const work = async () => (times += 1);
  for (const id of ["a", "b", "c"]) await once(id, {}, work);
  expect(await once("c", {}, work)).toBe(3);
  expect(await once("a", {}, work)).toBe(4);
});
