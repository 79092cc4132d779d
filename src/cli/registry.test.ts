import { describe, expect, it } from "vitest";
import { sampleRegistry } from "../../test/fixtures/sample-commands.ts";
import { firstWords, locate, membersOf } from "./registry.ts";

const registry = sampleRegistry();

describe("locate", () => {
  it("finds a command and hands on the words after it", () => {
    expect(locate(registry, ["state", "claim", "p.md", "--force"])).toMatchObject({
      kind: "command",
      name: "state claim",
      rest: ["p.md", "--force"],
    });
    expect(locate(registry, ["init"])).toMatchObject({ kind: "command", name: "init", rest: [] });
  });

  it("takes the longest name when one is the beginning of another", () => {
    const both = { ...registry, state: { about: "", load: () => Promise.reject(new Error("never")) } };
    expect(locate(both, ["state", "claim", "p"])).toMatchObject({ name: "state claim" });
    expect(locate(both, ["state", "p"])).toMatchObject({ name: "state", rest: ["p"] });
  });

  it("knows a group by itself, also before an option", () => {
    expect(locate(registry, ["state"])).toEqual({ kind: "group", name: "state" });
    expect(locate(registry, ["state", "--force"])).toEqual({ kind: "group", name: "state" });
  });

  it.each([
    ["stat claim", "state claim"],
    ["state clam", "state claim"],
    ["state clam p.md", "state claim"],
    ["claim", "state claim"],
    ["claim p.md", "state claim"],
    ["comit", "commit"],
    ["stat", "state"],
    ["intit", "init"],
    ["state frobnicate", undefined],
    ["frobnicate", undefined],
    ["constructor", undefined],
    ["__proto__", undefined],
  ])("suggests for %j: %j", (typed, suggestion) => {
    expect(locate(registry, typed.split(" "))).toEqual({ kind: "unknown", typed, suggestion });
  });

  it("knows what other programs call it, where it has that", () => {
    const more = { ...registry, resume: { about: "", load: () => Promise.reject(new Error("never")) } };
    expect(locate(more, ["continue"])).toMatchObject({ kind: "unknown", suggestion: "resume" });
    expect(locate(registry, ["continue"])).toMatchObject({ kind: "unknown", suggestion: undefined });
  });

  it("finds a command under the wrong group", () => {
    const more = {
      ...registry,
      "worktree create": { about: "", load: () => Promise.reject(new Error("never")) },
    };
    expect(locate(more, ["state", "create"])).toMatchObject({ suggestion: "worktree create" });
  });

  it("ends what was typed at the first option", () => {
    expect(locate(registry, ["stat", "claim", "--step", "x"])).toMatchObject({ typed: "stat claim" });
    expect(locate(registry, ["--step", "state"])).toMatchObject({ kind: "unknown", typed: "" });
  });
});

describe("groups", () => {
  it("list their commands without the first word", () => {
    expect(membersOf(registry, "state").map(([name]) => name)).toEqual(["claim", "update", "show"]);
    expect(membersOf(registry, "sta")).toEqual([]);
  });

  it("stand once among the first words", () => {
    expect(firstWords(registry)).toEqual(["init", "state", "commit", "completion"]);
  });
});
