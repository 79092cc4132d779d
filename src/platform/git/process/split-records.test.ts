import { expect, it } from "vitest";
import { splitRecords } from "./git-output.ts";

function split(maxBytes: number, ...chunks: string[]): string[] {
  const seen: string[] = [];
  const take = splitRecords(maxBytes, ({ bytes, isCut }) =>
    seen.push(`${bytes.toString()}${isCut ? "…" : ""}`),
  );
  for (const chunk of chunks) take(Buffer.from(chunk));
  return seen;
}

it("hands out records wherever the chunks are cut", () => {
  const text = "one\0\0three\0";
  for (let cut = 0; cut <= text.length; cut += 1) {
    expect(split(100, text.slice(0, cut), text.slice(cut))).toEqual(["one", "", "three"]);
  }
  expect(split(100, ...text)).toEqual(["one", "", "three"]);
});

it("keeps the beginning of what is too long, and all of what just fits", () => {
  expect(split(3, "one\0thr", "ee\0two\0", "x", "x", "x", "x\0")).toEqual(["one", "thr…", "two", "xxx…"]);
});

it("waits for the end of the last record", () => {
  expect(split(100, "one\0tw")).toEqual(["one"]);
});
