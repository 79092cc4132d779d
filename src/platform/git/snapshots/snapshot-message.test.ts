import { expect, it } from "vitest";
import { readMessage, writeMessage, type SnapshotFacts } from "./snapshot-message.ts";

const TOLD: SnapshotFacts = {
  worktree: "/home/me/work tree\nwith a line",
  worktreeId: "main",
  head: "a".repeat(40),
  branch: "feature/ünï",
  operation: "merge",
  files: 3,
  repositories: ["module"],
  because: "before reset\n\nPawl-Snapshot: {}",
  takenAt: "2026-01-02T03:04:05.678Z",
  indexWrittenAtUs: 1_790_000_000_000_000,
};

it("reads back what it wrote, whatever the texts hold", () => {
  expect(readMessage(writeMessage(TOLD))).toMatchObject(TOLD);
  const { head: _head, branch: _branch, operation: _operation, ...rest } = TOLD;
  const unborn = { ...rest, head: undefined, branch: undefined, operation: undefined };
  expect(readMessage(writeMessage(unborn))).toMatchObject(unborn);
});

it("tells people on the first line what it is, in one line", () => {
  const [subject, blank] = writeMessage(TOLD).split("\n");
  expect(subject).toBe("Uncommitted work on feature/ünï: before reset Pawl-Snapshot: {}");
  expect(blank).toBe("");
});

it.each([
  "",
  "subject\n",
  "Pawl-Snapshot: {",
  "Pawl-Snapshot: null",
  'Pawl-Snapshot: {"version":1}',
  'Pawl-Snapshot: {"version":2}',
])("takes %j for no snapshot", (message) => expect(readMessage(message)).toBeUndefined());
