import type { ItemKind } from "../../../domain/index.ts";
import { contentStart } from "../markdown/indentation.ts";
import { listItemAt } from "../markdown/list-item.ts";

/** What a label like `**Tasks:**` opens. */
export type LabelRole =
  | { readonly role: "depends" | "commit" | "references" }
  | { readonly role: "items"; readonly kind: ItemKind }
  /** Artifacts and rollback: what stands there is no work to tick. */
  | { readonly role: "untracked" }
  | { readonly role: "other"; readonly name: string };

export interface StepLabel {
  readonly is: LabelRole;
  /** It is a list item: it says something, but closes no section. */
  readonly listed: boolean;
  /** Where the text behind the label starts in the line. */
  readonly at: number;
  readonly text: string;
}

const FIELDS: ReadonlyMap<string, LabelRole> = new Map([
  ["depends on", { role: "depends" }],
  ["dependencies", { role: "depends" }],
  ["commit", { role: "commit" }],
  ["commit message", { role: "commit" }],
  ["reference", { role: "references" }],
  ["references", { role: "references" }],
]);

const SECTIONS: ReadonlyMap<string, LabelRole> = new Map([
  ["tasks", { role: "items", kind: "task" }],
  ["tests", { role: "items", kind: "test" }],
  ["checkpoint", { role: "items", kind: "checkpoint" }],
  ["checkpoints", { role: "items", kind: "checkpoint" }],
  ["artifacts", { role: "untracked" }],
  ["rollback", { role: "untracked" }],
]);

/** `Test` alone is a section; `Test the parser` is a sentence. */
const ALONE: ReadonlyMap<string, LabelRole> = new Map([
  ["task", { role: "items", kind: "task" }],
  ["test", { role: "items", kind: "test" }],
  ["artifact", { role: "untracked" }],
]);

/**
 * `Tests (bun test)` are tests, and so are `Unit tests`: the first or the last word outside parentheses decides.
 * `Final Step 3 Checkpoint` occurs in real plans.
 */
export function roleOf(name: string): LabelRole {
  const words = name.split("(", 1)[0]!.replace(/:$/, "").toLowerCase().split(/\s+/).filter(Boolean);
  const whole = words.join(" ");
  return (
    FIELDS.get(whole) ??
    ALONE.get(whole) ??
    SECTIONS.get(words[0] ?? "") ??
    SECTIONS.get(words.at(-1) ?? "") ?? { role: "other", name: name.trim() }
  );
}

/**
 * The labels of a line, the first at its start: `**Depends on:** #step-1 · **Commit:** …` has two.
 *
 * A list item may only carry a field, and only at the left edge, because a bold word in a task must not end the tasks.
 */
export function labelsAt(line: string): readonly StepLabel[] {
  // Without its stars it is still an edge of the graph, and a lost edge lets work start too early.
  const [plain] = /^depends on:/i.exec(line) ?? [];
  if (plain !== undefined) {
    const text = line.slice(plain.length);
    return [
      { is: { role: "depends" }, listed: false, at: plain.length + contentStart(text), text: text.trim() },
    ];
  }
  const listed = line.startsWith("**") ? undefined : listItemAt(line);
  const start = listed?.content ?? 0;
  const first = line.startsWith("**", start) ? boldLabel(line, start) : undefined;
  if (!first || (listed && (listed.indent > 0 || !isField(first.is)))) return [];
  return [first, ...laterLabels(line, first.at)].map(({ is, at }, index, all) => {
    const text = line.slice(at, all[index + 1]?.from);
    return { is, listed: listed !== undefined, at: at + contentStart(text), text: trimSeparators(text) };
  });
}

interface BoldLabel {
  readonly is: LabelRole;
  readonly from: number;
  readonly at: number;
}

function boldLabel(line: string, from: number): BoldLabel | undefined {
  const close = line.indexOf("**", from + 2);
  if (close === -1 || close - from > LONGEST_LABEL) return undefined;
  const name = line.slice(from + 2, close).trim();
  const end = close + 2;
  if (name === "" || name === ":") return undefined;
  if (name.endsWith(":")) return { is: roleOf(name.slice(0, -1)), from, at: end };
  // `**Tests** (bun test):` and, alone on its line, `**Tests**`.
  const [colon] = /^\s?(?:\([^()]{0,80}\))?:/.exec(line.slice(end, end + LONGEST_LABEL)) ?? [];
  if (colon !== undefined) return { is: roleOf(name), from, at: end + colon.length };
  const known = SECTIONS.get(name.toLowerCase());
  return known && line.slice(end).trim() === "" ? { is: known, from, at: end } : undefined;
}

const LONGEST_LABEL = 120;

function laterLabels(line: string, from: number): readonly BoldLabel[] {
  const labels: BoldLabel[] = [];
  let open = line.indexOf("**", from);
  while (open !== -1) {
    // A plan about plans quotes labels as code.
    const label = line[open - 1] === "`" ? undefined : boldLabel(line, open);
    if (label && isField(label.is)) labels.push(label);
    const close = line.indexOf("**", open + 2);
    open = close === -1 ? -1 : line.indexOf("**", close + 2);
  }
  return labels;
}

const isField = ({ role }: LabelRole): boolean =>
  role === "depends" || role === "commit" || role === "references";

/** Drops the dot or bar that parts two labels on a line. */
function trimSeparators(text: string): string {
  const trimmed = text.trim();
  return /[·•|]$/.test(trimmed) ? trimmed.slice(0, -1).trimEnd() : trimmed;
}
