import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { mutantsOf } from "../../scripts/mutate-sql.mjs";

const SRC = fileURLToPath(new URL("../../src", import.meta.url));

const statements = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((name) => name.includes("/sql/") && name.endsWith(".ts"))
  .map((name) => [name, readFileSync(join(SRC, name), "utf8")] as const);

const parametersIn = (text: string): readonly string[] =>
  [...new Set([...text.matchAll(/(?<![\w:]):([a-z_]+)/g)].map(([, name = ""]) => name))].toSorted();

const became = (text: string): readonly string[] => mutantsOf(text).map((mutant) => mutant.became);

describe("a planted bug in a statement", () => {
  it("turns comparisons round and drops conditions, one at a time", () => {
    const text = "x(`\n  select a\n   where b = :b\n     and c is null\n   order by d desc\n`);";
    expect(became(text)).toEqual(["where b <> :b", "", "and c is not null", "order by d"]);
  });

  it("leaves a condition that decides nothing where it drops one with a parameter", () => {
    const same = "coalesce(cast(:c as text), '') = coalesce(cast(:c as text), '')";
    const [, dropped] = became("x(`\n   where b = :b\n     and c = :c\n`);");
    expect(dropped).toBe(`and (${same})`);
    const [, other] = became("x(`\n   where b = :b\n      or c = :c\n`);");
    expect(other).toBe(`or not (${same})`);
  });

  // The driver refuses a call with a parameter that no statement names, and every test would notice that.
  it("keeps every parameter of every statement", () => {
    expect(statements.length).toBeGreaterThan(100);
    const lost = statements.flatMap(([name, text]) =>
      mutantsOf(text)
        .filter((mutant) => parametersIn(mutant.text).join() !== parametersIn(text).join())
        .map(({ line }) => `${name}:${line}`),
    );
    expect(lost).toEqual([]);
  });
});
