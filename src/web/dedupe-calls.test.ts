import { expect, it } from "vitest";
import { dedupeCalls } from "./dedupe-calls.ts";

it("does it once for those that ask at the same time and for those that ask later", async () => {
  const dedupe = dedupeCalls(10);
  let times = 0;
  const work = async () => (times += 1);
  expect(await Promise.all([dedupe("a", {}, work), dedupe("a", {}, work)])).toEqual([1, 1]);
  expect(await dedupe("a", {}, work)).toBe(1);
  expect(await dedupe("b", {}, work)).toBe(2);
});

it("refuses an id that was used for something else", async () => {
  const dedupe = dedupeCalls(10);
  await dedupe("a", { action: "run" }, async () => 1);
  await expect(dedupe("a", { action: "fix" }, async () => 2)).rejects.toThrow("another call");
});

it("tells a failure to all that wait for it, and lets the next one try again", async () => {
  const dedupe = dedupeCalls(10);
  const fail = async () => Promise.reject(new Error("busy"));
  const both = await Promise.allSettled([dedupe("a", {}, fail), dedupe("a", {}, fail)]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await dedupe("a", {}, async () => "done")).toBe("done");
});

it("forgets the oldest first", async () => {
  const dedupe = dedupeCalls(2);
  let times = 0;
  const work = async () => (times += 1);
  for (const id of ["a", "b", "c"]) await dedupe(id, {}, work);
  expect(await dedupe("c", {}, work)).toBe(3);
  expect(await dedupe("a", {}, work)).toBe(4);
});
