import { truncate } from "./layout.ts";
import type { Paint } from "./paint.ts";

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
