import { truncate } from "./layout.ts";
import type { Paint } from "./paint.ts";

/**
 * Why a step does not pass: what its check printed and the log, else what its agents left. A check says more than the last
 * words of an agent that thought it was done.
 */
export function evidenceLines(
  words: Parameters<typeof agentWordLines>[0],
  failure: { readonly lines: readonly string[]; readonly log: string | null } | null | undefined,
  how: Parameters<typeof agentWordLines>[1],
): readonly string[] {
  const lines = failure?.lines ?? [];
  const log = failure?.log ?? undefined;
  return [
    ...agentWordLines(lines.length === 0 ? words : { said: lines }, how),
    // Whole, however narrow the terminal is: it is copied.
    ...(log === undefined ? [] : [`${" ".repeat(how.indent)}${how.paint.dim(`log ${log}`)}`]),
  ];
}

/** What the agents of a step left for people: what they were refused, and what the last one said last. */
export function agentWordLines(
  { said, refused }: { readonly said?: readonly string[]; readonly refused?: readonly string[] },
  { paint, indent, most }: { readonly paint: Paint; readonly indent: number; readonly most: number },
): readonly string[] {
  const room = Math.max(paint.columns - indent, 16);
  return [
    ...(refused ?? []).slice(-most).map((what) => `refused: ${what}`),
    ...(said ?? []).slice(-most).map((line) => `| ${line}`),
  ].map((line) => `${" ".repeat(indent)}${paint.dim(truncate(line, room))}`);
}
