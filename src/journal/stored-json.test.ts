import { expect, it } from "vitest";
import { detailIn, storedJson } from "./stored-json.ts";

it("reads what was stored", () => {
  expect(detailIn('{"reason":"rain"}')).toEqual({ reason: "rain" });
  expect(storedJson('["a"]', [])).toEqual(["a"]);
});

it.each(["{", "", "nonsense", "7", "null", '"text"'])("shows a damaged line as one: %j", (text) => {
  expect(detailIn(text)).toEqual({ unreadable: text });
  expect(storedJson(text, [])).toEqual([]);
});

it("shows no more of a damaged line than helps", () => {
  expect(detailIn(`{${"x".repeat(10_000)}`)["unreadable"]).toHaveLength(200);
});

it("has an answer for what was never stored", () => {
  expect(storedJson(null, ["nothing"])).toEqual(["nothing"]);
});
