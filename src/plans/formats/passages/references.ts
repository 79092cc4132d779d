import { visibleLines } from "../markdown/visible-lines.ts";
import { type Definition, definitionsIn } from "./definitions.ts";

/** A part of a plan that a step refers to, as its author wrote it. */
export interface Passage {
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

export interface Passages {
  readonly found: readonly Passage[];
  /** What the step names and the plan does not define. */
  readonly missing: readonly string[];
}

/** A line of references names few things; one that names hundreds is no line of references. */
const MOST_NAMES = 100;
const MOST_IN_RANGE = 30;

/** The full text of what a `**References:**` line names: `[D03]`, `Table T01`, `Tables T01-T03`, `(#anchor)`. */
export function passagesFor(content: string, references: string | undefined): Passages {
  const names = namesIn(references ?? "");
  if (names.length === 0) return { found: [], missing: [] };
  const plan = visibleLines(content);
  const byName = new Map<string, Definition>();
  for (const definition of definitionsIn(plan))
    for (const name of definition.names) if (!byName.has(name)) byName.set(name, definition);
  const missing = names.filter(({ name, isCertain }) => isCertain && !byName.has(name));
  const named = names.flatMap(({ name }) => {
    const definition = byName.get(name);
    return definition === undefined || definition.isStep ? [] : [{ name, definition }];
  });
  const found = named.filter(
    ({ definition: one }, index) =>
      !named.some(({ definition: other }, at) =>
        other === one ? at < index : other.start <= one.start && other.end >= one.end,
      ),
  );
  return {
    missing: missing.map(({ name }) => name),
    found: found.map(({ name, definition: { title, start, end } }) => ({
      name,
      title,
      text: textOf(plan.lines.slice(start + 1, end)),
    })),
  };
}

/** The rule that parts sections belongs to none of them. */
const textOf = (lines: readonly string[]): string => {
  let end = lines.length;
  while (end > 0 && /^\s*(?:-{3,}\s*)?$/.test(lines[end - 1]!.slice(0, 80))) end -= 1;
  return lines.slice(0, end).join("\n").trim();
};

interface Name {
  readonly name: string;
  /** Written as a reference; a bare `S3` may be any word. */
  readonly isCertain: boolean;
}

const NAME =
  /(\[|(?:Decision|Table|Spec|List|Risk|Figure|Diagram|Question)s?\s+\[?)?(?:\b([A-Z]{1,3})(\d{1,4})(?:\s?[-–—]\s?\2(\d{1,4}))?\b|#([\w.:-]{1,200}))/g;

function namesIn(references: string): readonly Name[] {
  const names = new Map<string, Name>();
  const add = (name: string, isCertain: boolean) => {
    if (names.size < MOST_NAMES && !names.has(name)) names.set(name, { name, isCertain });
  };
  for (const [, mark, prefix, first, last, anchor] of references.matchAll(NAME)) {
    if (anchor !== undefined) add(`#${anchor.replace(/(?<![.:-])[.:-]+$/, "")}`, true);
    else for (const number of numbersOf(first!, last)) add(`${prefix}${number}`, mark !== undefined);
  }
  return [...names.values()];
}

/** `T01` to `T03`, written as wide as the first. */
function numbersOf(first: string, last: string | undefined): readonly string[] {
  const count = last === undefined ? 1 : Number(last) - Number(first) + 1;
  if (count < 1 || count > MOST_IN_RANGE) return [first];
  return Array.from({ length: count }, (_, index) =>
    String(Number(first) + index).padStart(first.length, "0"),
  );
}
