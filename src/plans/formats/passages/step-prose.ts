import type { PlanItem } from "../../../domain/index.ts";
import { headingAt } from "../markdown/heading.ts";
import { indentOf } from "../markdown/indentation.ts";
import { labelsAt } from "../tugplan/label.ts";
import { boxAt } from "../markdown/list-item.ts";
import { visibleLines } from "../markdown/visible-lines.ts";

/**
 * The text of a step without what is said about it elsewhere: its items, what it depends on and refers to, and how its
 * commit is called, which would invite an agent to commit.
 *
 * Only an item that is on the checklist goes; a box that Pawl does not track stays where it is.
 */
export function stepProse(body: string, items: readonly Pick<PlanItem, "text">[]): string {
  const { lines, hidden } = visibleLines(body);
  const texts = items.map(({ text }) => text);
  const kept: string[] = [];
  let dropping: Dropping | undefined;
  for (const [index, line] of lines.entries()) {
    if (hidden[index] === 1) {
      dropping = undefined;
      kept.push(line);
      continue;
    }
    if (dropping && continues(dropping, line)) continue;
    dropping = droppedAt(line, texts);
    if (dropping === undefined) kept.push(line);
  }
  return tidy(kept);
}

/** What is left out from here on: a field up to the end of its paragraph, an item up to the end of its text. */
type Dropping =
  | { readonly what: "field" }
  | { readonly what: "item"; readonly indent: number; readonly text: string };

const FIELDS: ReadonlySet<string> = new Set(["depends", "commit", "references"]);

function droppedAt(line: string, texts: readonly string[]): Dropping | undefined {
  const box = boxAt(line);
  if (box) {
    const first = box.text.trim();
    const text = first === "" ? undefined : texts.find((one) => one.startsWith(first));
    return text === undefined ? undefined : { what: "item", indent: box.indent, text };
  }
  const labels = labelsAt(line);
  return labels.length > 0 && labels.every(({ is }) => FIELDS.has(is.role)) ? { what: "field" } : undefined;
}

function continues(dropping: Dropping, line: string): boolean {
  if (line.trim() === "" || boxAt(line) || headingAt(line) || labelsAt(line).length > 0) return false;
  if (dropping.what === "item")
    return indentOf(line) > dropping.indent && dropping.text.includes(line.trim());
  return !/^ {0,3}(?:[>|]|---|\*\*\*)/.test(line);
}

/** Labels with nothing left under them go too, and so do the blank lines that the rest leaves. */
function tidy(lines: readonly string[]): string {
  const kept = lines.filter((line, index) => {
    if (!isBareItemLabel(line)) return true;
    const next = lines.slice(index + 1).find((one) => one.trim() !== "");
    return !(next === undefined || labelsAt(next).length > 0 || headingAt(next) || isRule(next));
  });
  while (kept.length > 0 && (kept.at(-1)!.trim() === "" || isRule(kept.at(-1)!))) kept.pop();
  return kept
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

const isRule = (line: string): boolean => /^ {0,3}-{3,}\s*$/.test(line.slice(0, 80));

const isBareItemLabel = (line: string): boolean => {
  const labels = labelsAt(line);
  return labels.length === 1 && labels[0]!.is.role === "items" && labels[0]!.text === "";
};
