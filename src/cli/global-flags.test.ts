import { describe, expect, it } from "vitest";
import { takeGlobalFlags } from "./global-flags.ts";

describe("takeGlobalFlags", () => {
  it("takes the flags wherever they stand", () => {
    const { given, words } = takeGlobalFlags(["--json", "state", "claim", "-q", "p.md", "--no-color", "-h"]);
    expect([...given]).toEqual(["json", "quiet", "no-color", "help"]);
    expect(words).toEqual(["state", "claim", "p.md"]);
  });

  it("leaves what follows -- alone", () => {
    const { given, words } = takeGlobalFlags(["run", "--", "claude", "--help", "--json", "--"]);
    expect(given.size).toBe(0);
    expect(words).toEqual(["run", "--", "claude", "--help", "--json", "--"]);
  });

  it("leaves flags inside values alone", () => {
    expect(takeGlobalFlags(["commit", "--message=--json"]).words).toEqual(["commit", "--message=--json"]);
  });

  it("is not confused by a flag that is given twice", () => {
    expect([...takeGlobalFlags(["--json", "--json"]).given]).toEqual(["json"]);
  });

  it("notes a flag that was given a value, and takes it all the same", () => {
    const { given, misused, words } = takeGlobalFlags(["--json=yes", "--quiet=", "init"]);
    expect(misused).toBe("--json=yes");
    expect([...given]).toEqual(["json", "quiet"]);
    expect(words).toEqual(["init"]);
  });
});
