import { headingAt } from "../markdown/heading.ts";
import type { Outline } from "./outline.ts";
import type { PlanLines } from "../markdown/visible-lines.ts";

/** What a plan says about itself before its steps. */
export interface Front {
  readonly title: string | undefined;
  readonly metadata: readonly (readonly [field: string, value: string])[];
}

export function readFront(plan: PlanLines, { outside }: Outline): Front {
  let first: string | undefined;
  let phase: string | undefined;
  let metadata: Front["metadata"] | undefined;
  for (const { start, end } of outside) {
    for (let index = start; index < end; index += 1) {
      const heading = plan.hidden[index] === 1 ? undefined : headingAt(plan.lines[index]!);
      if (!heading || heading.text === "") continue;
      first ??= heading.text;
      if (heading.level <= 2) phase ??= phaseTitle(heading.text);
      if (/\bplan metadata$/i.test(heading.text)) metadata ??= readFields(plan, index + 1, end);
    }
  }
  return { title: phase ?? first, metadata: metadata ?? [] };
}

/** `Phase 1.0: Title` has the title `Title`; `Phase Overview` is no phase. */
function phaseTitle(text: string): string | undefined {
  const [, number, title = ""] = /^phase\s(\S{1,20}?)(?:\s?[:—–]|\s-\s)(.*)$/i.exec(text) ?? [];
  return number !== undefined && /\d|^[A-Z]$/.test(number) ? title.trim() || text : undefined;
}

/**
 * The table, or list of bold fields, right behind its heading. Tables of the same shape further down are about other
 * things.
 */
function readFields(plan: PlanLines, start: number, end: number): Front["metadata"] {
  const isVisible = (index: number) => index < end && plan.hidden[index] === 0;
  let index = start;
  while (isVisible(index) && plan.lines[index]!.trim() === "") index += 1;
  const rows: string[] = [];
  for (; isVisible(index) && /^ {0,3}(?:\||- \*\*)/.test(plan.lines[index]!); index += 1)
    rows.push(plan.lines[index]!.trim());
  return rows[0]?.startsWith("|") ? fieldsOfTable(rows) : fieldsOfList(rows);
}

function fieldsOfTable(rows: readonly string[]): Front["metadata"] {
  const [, rule, ...fields] = rows.filter((row) => row.startsWith("|")).map(cellsOf);
  if (!rule?.every((cell) => /^:?-+:?$/.test(cell))) return [];
  return fields.map(([field = "", ...value]) => [field.replaceAll("**", ""), value.join(" | ")]);
}

/** `- **Status:** draft` */
function fieldsOfList(rows: readonly string[]): Front["metadata"] {
  return rows.flatMap((row) => {
    const close = row.indexOf("**", 4);
    const field = row.slice(4, Math.max(close, 4)).replace(/:$/, "").trim();
    const value = row
      .slice(close + 2)
      .replace(/^:/, "")
      .trim();
    return field === "" ? [] : [[field, value] as const];
  });
}

/** Cells end at a bar that no backslash escapes. */
function cellsOf(row: string): string[] {
  const cells: string[] = [""];
  for (let at = 1; at < row.length; at += 1) {
    if (row[at] === "|") cells.push("");
    else if (row[at] === "\\" && row[at + 1] === "|") {
      cells[cells.length - 1] += "|";
      at += 1;
    } else cells[cells.length - 1] += row[at]!;
  }
  if (row.endsWith("|")) cells.pop();
  return cells.map((cell) => cell.trim());
}
