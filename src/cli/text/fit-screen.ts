import type { Progress } from "../context.ts";
import { truncate } from "./layout.ts";

/**
 * Lines that can be drawn over again: none wider than the terminal, no more than it has rows.
 *
 * One row is for the cursor, one is the frame's own, and one is left for what stands above. A line that wraps takes two
 * rows, and the cursor would go up too little; what has scrolled away cannot be drawn over.
 */
export function fitScreen(lines: readonly string[], { columns, rows }: Progress): readonly string[] {
  const most = rows() - 3;
  const shown =
    lines.length <= most ? lines : [...lines.slice(0, most - 1), `and ${lines.length - most + 1} more`];
  return shown.map((line) => truncate(line, columns() - 1));
}
