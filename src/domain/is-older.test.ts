import { expect, it } from "vitest";
import { isOlder } from "./is-older.ts";

it.each([
  ["3.51.2", "3.51.3", true],
  ["3.51.3", "3.51.3", false],
  ["3.9.0", "3.51.3", true],
  ["2.38", "2.38.1", true],
  ["2.38.1", "2.38", false],
  ["2.38", "2.38.0", false],
  ["2.40.1.windows.1", "2.38", false],
  ["24.0.0", "20.19.0", false],
])("%s is older than %s: %s", (version, than, expected) => {
  expect(isOlder(version, than)).toBe(expected);
});
