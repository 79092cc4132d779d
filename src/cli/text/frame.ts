import { displayWidth } from "./layout.ts";

/**
 * Lines at the bottom of a terminal that are drawn over again and again.
 *
 * A terminal that became narrower has wrapped the lines it shows, so they take more rows than were printed. Going up by
 * what was printed would leave the upper part of the old frame standing, one ghost for each change of the size.
 *
 * A person who presses Enter moves the cursor down, and no event says so: what is typed is left to the shell, whose next
 * commands it may be. The first row then stays behind for good, so it is an empty one.
 */
export function frame(write: (text: string) => void, columns: () => number) {
  let widths: readonly number[] = [];
  return (lines: readonly string[]): void => {
    const rows = widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns())), 0);
    const up = rows === 0 ? "" : `\x1b[${rows}A`;
    const drawn = lines.length === 0 ? [] : ["", ...lines];
    write(`\r${up}${drawn.map((line) => `\x1b[2K${line}\n`).join("")}\x1b[0J`);
    widths = drawn.map((line) => displayWidth(line));
  };
}
