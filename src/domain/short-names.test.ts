import { expect, it } from "vitest";
import { shortNames } from "./short-names.ts";

const ID = "s-72ef66b1-322f-4fb4-9ab6-18c6df51f742";
const HASH = "0123456789abcdef0123456789abcdef01234567";

it("cuts ids of sessions and hashes short", () => {
  expect(shortNames(`${ID} made ${HASH}..${HASH}, then ${HASH.slice(0, 24)}${HASH}.`)).toBe(
    "s-72ef66b1 made 0123456789ab..0123456789ab, then 0123456789ab.",
  );
});

it.each([
  `.git/pawl/logs/${ID}/0001-verify.log`,
  `refs/pawl/rescue/step-1/${HASH}`,
  `refs/pawl/rescue/${HASH}-1`,
])("leaves whole what a person may copy: %s", (text) => {
  expect(shortNames(text)).toBe(text);
});
