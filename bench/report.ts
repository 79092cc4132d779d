import { type Benchmark, isMet, type Line } from "./benchmark.ts";

/** One benchmark as a table: what was measured, its figures, the goal, and whether it is met. */
export function tableOf({ name, about }: Benchmark, lines: readonly Line[]): string {
  const heads = [...new Set(lines.flatMap((line) => Object.keys(line.figures)))];
  const rows = lines.map((line) => [
    line.what,
    ...heads.map((head) => numberText(line.figures[head])),
    goalText(line),
    { true: "pass", false: "miss", undefined: "" }[String(isMet(line))] ?? "",
  ]);
  return [`${name}: ${about}`, "", ...aligned([["", ...heads, "goal", ""], ...rows])].join("\n");
}

function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join("  ")
      .replace(/^/, "  ")
      .trimEnd(),
  );
}

function goalText({ goal }: Line): string {
  if (goal === undefined) return "";
  return `${goal.figures.join(" and ")} ${goal.most === undefined ? `≥ ${goal.least}` : `≤ ${goal.most}`}`;
}

/** Three significant digits, and never a fraction of a large number. */
function numberText(value: number | undefined): string {
  if (value === undefined) return "";
  if (Math.abs(value) >= 100 || Number.isInteger(value)) return value.toFixed(0);
  return value.toPrecision(3);
}
