import type { Usage } from "./agent-event.ts";

/** What a million tokens cost, in dollars. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

/**
 * What was used, as it is stored and added up.
 *
 * Money is counted in whole millionths of a dollar: sums of whole numbers are the same in every order and in both
 * databases, so that each place that shows a total shows the same one. Null where no price is known.
 */
export interface Spent {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costMicros: number | null;
}

/** What an answer says was used. */
export interface UsageView {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Null where none of it has a price. */
  readonly costUsd: number | null;
  /** Tokens, in and out, of commands whose price is not known: the cost leaves them out. */
  readonly unpricedTokens: number;
}

/** What an agent prints is not to be trusted: no command uses more, and sums of so many stay exact. */
const MOST = 1e12;

const whole = (value: number): number => Math.min(Math.max(Math.round(value), 0), MOST);

const MICROS = 1_000_000;

/** The price of one command: what the agent itself reports, else by the configured price; undefined where nothing was used. */
export function spentOf({ inputTokens, outputTokens, costUsd }: Usage, price?: Price): Spent | undefined {
  const tokens = { inputTokens: whole(inputTokens), outputTokens: whole(outputTokens) };
  if (costUsd > 0) return { ...tokens, costMicros: whole(costUsd * MICROS) };
  if (tokens.inputTokens + tokens.outputTokens === 0) return undefined;
  // Dollars for a million tokens are millionths of a dollar for one.
  const cost = price && inputTokens * price.input + outputTokens * price.output;
  return { ...tokens, costMicros: cost === undefined ? null : whole(cost) };
}

/** A row of sums, as statements answer it. */
export interface UsageSums {
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cost_micros: number | null;
  readonly unpriced_tokens: number | null;
}

/** Null where nothing was used, or nothing of it was recorded. */
export function usageView(rows: readonly UsageSums[]): UsageView | null {
  const sum = (field: keyof UsageSums) => rows.reduce((total, row) => total + (row[field] ?? 0), 0);
  const isPriced = rows.some(({ cost_micros }) => cost_micros !== null);
  const view = {
    inputTokens: sum("input_tokens"),
    outputTokens: sum("output_tokens"),
    costUsd: isPriced ? usdOf(sum("cost_micros")) : null,
    unpricedTokens: sum("unpriced_tokens"),
  };
  return view.inputTokens + view.outputTokens === 0 && !isPriced ? null : view;
}

/** Several together; null where none of them has anything on record. */
export function addUsageViews(views: readonly (UsageView | null)[]): UsageView | null {
  const known = views.filter((view) => view !== null);
  if (known.length === 0) return null;
  const sum = (field: "inputTokens" | "outputTokens" | "unpricedTokens") =>
    known.reduce((total, view) => total + view[field], 0);
  const priced = known.filter(({ costUsd }) => costUsd !== null);
  return {
    inputTokens: sum("inputTokens"),
    outputTokens: sum("outputTokens"),
    costUsd: priced.length === 0 ? null : priced.reduce((total, { costUsd }) => total + costUsd!, 0),
    unpricedTokens: sum("unpricedTokens"),
  };
}

/** What one command used, for an answer. */
export const usageOfCommand = ({ inputTokens, outputTokens, costMicros }: Spent): UsageView => ({
  inputTokens,
  outputTokens,
  costUsd: costMicros === null ? null : usdOf(costMicros),
  unpricedTokens: costMicros === null ? inputTokens + outputTokens : 0,
});

const usdOf = (micros: number): number => micros / MICROS;

/** Dollars to the cent, as every place shows them. */
export const dollars = (usd: number): string => `$${(Math.round(usd * 100) / 100).toFixed(2)}`;

/** In few words: the cost, or the tokens where there is no price. */
export function usageText({ inputTokens, outputTokens, costUsd, unpricedTokens }: UsageView): string {
  const tokens = `${tokenCount(inputTokens)} tokens in, ${tokenCount(outputTokens)} out`;
  if (costUsd === null) return tokens;
  const more = unpricedTokens === 0 ? "" : `, ${tokenCount(unpricedTokens)} of them without a price`;
  return `${dollars(costUsd)} (${tokens}${more})`;
}

function tokenCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_950) return `${(count / 1000).toFixed(1)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}
