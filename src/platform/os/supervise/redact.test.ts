import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactor, secretsIn } from "./redact.ts";

function pass(secrets: Record<string, string>, chunks: readonly string[]): string {
  const { push, end } = redactor(secrets);
  return Buffer.concat([...chunks.map((chunk) => push(Buffer.from(chunk))), end()]).toString();
}

describe("values that must not be seen", () => {
  it("are taken out wherever the output is cut", () => {
    const secret = "abababab";
    const text = fc
      .array(fc.constantFrom("a", "b", "ab", secret, "c"), { maxLength: 40 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, fc.array(fc.nat(60), { maxLength: 6 }), (whole, cuts) => {
        const edges = [...new Set([0, ...cuts.filter((cut) => cut < whole.length), whole.length])];
        edges.sort((a, b) => a - b);
        const chunks = edges.slice(1).map((edge, index) => whole.slice(edges[index], edge));
        const seen = pass({ KEY: secret }, chunks);
        expect(seen).not.toContain(secret);
        expect(seen.replaceAll("[KEY]", secret)).toBe(whole);
      }),
    );
  });

  it("go the longest first", () => {
    expect(pass({ A: "12345678", B: "1234567890" }, ["x1234567890y12345678z"])).toBe("x[B]y[A]z");
  });

  it("are left when they are too short to be a key", () => {
    expect(pass({ A: "1234567" }, ["a1234567b"])).toBe("a1234567b");
  });

  it("hold back no more than what may be their start", () => {
    const { push } = redactor({ KEY: "secret-value" });
    expect(Buffer.from(push(Buffer.from("hello\n"))).toString()).toBe("hello\n");
    expect(Buffer.from(push(Buffer.from("and secr"))).toString()).toBe("and ");
    expect(Buffer.from(push(Buffer.from("ets!"))).toString()).toBe("secrets!");
  });

  it("are known by the names of their variables", () => {
    const env = {
      ANTHROPIC_API_KEY: "1",
      GITHUB_TOKEN: "2",
      DB_PASSWORD: "3",
      APIKEY: "4",
      DATABASE_URL: "5",
      PATH: "6",
      KEYBOARD: "7",
      MONKEY_BUSINESS: "8",
      TOKENIZERS_PARALLELISM: "9",
      UNSET_TOKEN: undefined,
    };
    expect(Object.values(secretsIn(env)).join("")).toBe("12345");
  });
});
