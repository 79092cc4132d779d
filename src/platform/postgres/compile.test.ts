import { describe, expect, test } from "vitest";
import { lock, pick, statement } from "../statement.ts";
import { CLOCK, compile } from "./compile.ts";

const compiled = (made: object) => compile(made as Parameters<typeof compile>[0]);

describe("a statement for the server", () => {
  test("has numbers in place of names, one for each name however often it stands there", () => {
    const { text, names } = compiled(
      statement("select :b, :a, :b, a::text, '12:30', x from t where y = :a_1 and z = :a"),
    );
    expect(text).toBe("select $1, $2, $1, a::text, '12:30', x from t where y = $3 and z = $2");
    expect(names).toEqual(["b", "a", "a_1"]);
  });

  test("asks the server's clock, once, for an instant that is not known here yet", () => {
    const made = statement("select 1 from t where a <= :now and b = :nowhere and c = :now") as unknown;
    const { text, names } = compile(made as Parameters<typeof compile>[0], "asked");
    expect(text).toBe(`select 1 from t where a <= (select ${CLOCK}) and b = $1 and c = (select ${CLOCK})`);
    expect(names).toEqual(["nowhere"]);
    expect(compiled(made as object).names).toEqual(["now", "nowhere"]);
  });

  test("locks the rows it asks for, and waits or passes over what others hold", () => {
    expect(compiled(lock("select 1")).text).toBe("select 1\nfor no key update");
    expect(compiled(pick("select 1")).text).toBe("select 1\nfor no key update skip locked");
  });

  test("has one label for one text", () => {
    const [first, again, other] = [statement("select 2"), statement("select 2"), lock("select 2")].map(
      compiled,
    );
    expect(again!.label).toBe(first!.label);
    expect(other!.label).not.toBe(first!.label);
  });
});
