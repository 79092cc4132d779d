import { describe, expect, it } from "vitest";
import type { Files } from "../../platform/ports/index.ts";
import { filesOver } from "./files-over.ts";

const listed = (lying: readonly string[], committed: readonly string[]) => {
  const disk = { list: () => lying.map((name) => ({ name, kind: "file" })) } as unknown as Files;
  const texts = new Map(committed.map((name) => [`/plan/${name}`, new Uint8Array()]));
  return filesOver(disk, "/plan", texts)
    .list("/plan")!
    .map(({ name }) => name)
    .toSorted();
};

describe("the files of a committed folder", () => {
  it("are joined by new ones that lie there", () => {
    expect(listed(["task-1", "task-2"], ["task-1"])).toEqual(["task-1", "task-2"]);
  });

  it("are not joined by new ones where one of them is gone: it may have another name by now", () => {
    expect(listed(["task-2", "task-9"], ["task-1", "task-2"])).toEqual(["task-1", "task-2"]);
  });
});
