import { expect, it } from "vitest";
import { readReverts } from "./find-reverted.ts";

const A = "a".repeat(40);
const B = "b".repeat(40);

it.each([
  [
    "git revert",
    `Revert "x"\n\nThis reverts commit ${A}.\n`,
    [{ commit: A, mainline: undefined, subject: "x" }],
  ],
  [
    "a hosting service",
    `Revert "x" (#7)\n\nThis reverts commit ${A}.`,
    [{ commit: A, mainline: undefined, subject: "x" }],
  ],
  [
    "git revert --mainline",
    `Revert "Merge y"\n\nThis reverts commit ${A}, reversing\nchanges made to ${B}.\n`,
    [{ commit: A, mainline: B, subject: "Merge y" }],
  ],
  [
    "git revert --reference",
    "# *** SAY WHY ***\n\nThis reverts commit aaaaaaa (x, 2026-01-01).\n",
    [{ commit: "aaaaaaa", mainline: undefined, subject: undefined }],
  ],
  [
    "a newer git, of a revert",
    `Reapply "x"\n\nThis reverts commit ${A}.\n`,
    [{ commit: A, mainline: undefined, subject: 'Revert "x"' }],
  ],
  [
    "a person who squashed reverts",
    `Revert "x"\n\nThis reverts commit ${A}.\n\nThis reverts commit ${B}.\n`,
    [
      { commit: A, mainline: undefined, subject: undefined },
      { commit: B, mainline: undefined, subject: undefined },
    ],
  ],
  ["a person who quotes", `x\n\n> This reverts commit ${A}.\nas in "This reverts commit ${A}."\n`, []],
  [
    "a person who names no commit",
    "x\n\nThis reverts commit deadbee-f and the fac\nThis reverts commit xyz\n",
    [{ commit: "deadbee", mainline: undefined, subject: undefined }],
  ],
  ["nobody", `x\n\nThis reverts commit abc.\nThis reverts commit ${"a".repeat(65)}\n`, []],
])("reads what %s writes", (_, message, reverts) => {
  expect(readReverts(message)).toEqual(reverts);
});
