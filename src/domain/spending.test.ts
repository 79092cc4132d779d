import { describe, expect, it } from "vitest";
import { dollars, spentOf, usageText, usageView } from "./spending.ts";

const sums = (input: number, output: number, cost: number | null, unpriced = 0) => ({
  input_tokens: input,
  output_tokens: output,
  cost_micros: cost,
  unpriced_tokens: unpriced,
});

describe("what a command cost", () => {
  it("is what the agent reports, in whole millionths of a dollar", () => {
    expect(
      spentOf({ inputTokens: 10, outputTokens: 5, costUsd: 0.0123456 }, { input: 9, output: 9 }),
    ).toEqual({
      inputTokens: 10,
      outputTokens: 5,
      costMicros: 12346,
    });
  });

  it("follows the configured price where the agent reports none", () => {
    const used = { inputTokens: 2_000_000, outputTokens: 100_000, costUsd: 0 };
    expect(spentOf(used, { input: 1.25, output: 10 })?.costMicros).toBe(3_500_000);
    expect(spentOf(used)?.costMicros).toBeNull();
    expect(spentOf(used, { input: 0, output: 0 })?.costMicros).toBe(0);
  });

  it("is nothing where nothing was used", () => {
    expect(spentOf({ inputTokens: 0, outputTokens: 0, costUsd: 0 }, { input: 1, output: 1 })).toBeUndefined();
  });

  it("stays a number that can be added up, whatever an agent prints", () => {
    const spent = spentOf({ inputTokens: 1e300, outputTokens: 0.4, costUsd: 1e300 })!;
    expect(spent).toEqual({ inputTokens: 1e12, outputTokens: 0, costMicros: 1e12 });
  });
});

describe("sums", () => {
  it("are exact where floating point is not", () => {
    const rows = Array.from({ length: 10 }, () => sums(1, 1, 100_000));
    expect(usageView(rows)?.costUsd).toBe(1);
  });

  it("keep tokens without a price apart from the cost", () => {
    const view = usageView([sums(1000, 10, 2_345_000), sums(400, 100, null, 500)])!;
    expect(view).toEqual({ inputTokens: 1400, outputTokens: 110, costUsd: 2.345, unpricedTokens: 500 });
    expect(usageText(view)).toBe("$2.35 (1.4k tokens in, 110 out, 500 of them without a price)");
  });

  it("show tokens alone where nothing has a price, and nothing where nothing was used", () => {
    expect(usageText(usageView([sums(1_250_000, 999, null, 1_250_999)])!)).toBe("1.3M tokens in, 999 out");
    expect(usageView([])).toBeNull();
    expect(usageView([sums(0, 0, 0)])?.costUsd).toBe(0);
  });

  it("are rounded to the cent once, at the end", () => {
    expect([dollars(0), dollars(0.004), dollars(1.006), dollars(1234.5)]).toEqual([
      "$0.00",
      "$0.00",
      "$1.01",
      "$1234.50",
    ]);
  });
});
