export interface TableLine {
  readonly what: string;
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  /** Processor time of one cycle, of worker and server; it says more than the clock where others work too. */
  readonly workerMs: number;
  readonly serverMs: number;
  /** Pawl's rate as a share of this one. */
  readonly ratio: number;
  /** What the ratio should reach. */
  readonly goal: number | undefined;
}

/** One table for people: what was measured, its figures, the goal, and whether it is met. */
export function printTable(title: string, lines: readonly TableLine[]): void {
  const rows = [
    ["", "cycles/s", "p50 ms", "p99 ms", "worker CPU ms", "server CPU ms", "Pawl / it", "goal", ""],
    ...lines.map(({ what, rate, p50, p99, workerMs, serverMs, ratio, goal }) => [
      what,
      rate.toFixed(0),
      p50.toFixed(1),
      p99.toFixed(1),
      workerMs.toFixed(2),
      serverMs.toFixed(2),
      ratio.toFixed(2),
      goal === undefined ? "" : `≥ ${goal}`,
      goal === undefined ? "" : ratio >= goal ? "pass" : "miss",
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const text = rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join("  ")
      .trimEnd(),
  );
  console.log(`\n${title}\n\n  ${text.join("\n  ")}`);
}
