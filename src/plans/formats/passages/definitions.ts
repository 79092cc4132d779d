import { headingAt } from "../markdown/heading.ts";
import { stepHeadingOf } from "../tugplan/step-heading.ts";
import type { PlanLines } from "../markdown/visible-lines.ts";

/** A part of a plan that other parts refer to by name. Lines are counted from 0; `end` is not part of it. */
export interface Definition {
  readonly names: readonly string[];
  readonly title: string;
  readonly start: number;
  readonly end: number;
  /** Steps are handed out by themselves, so their text is never repeated for a reference. */
  readonly isStep: boolean;
}

interface Opening {
  readonly names: readonly string[];
  readonly title: string;
  /** 1 to 6 for a heading; a bold line such as `**Table T01: …**` ends at any heading. */
  readonly level: number;
  readonly isStep: boolean;
}

const BOLD_LEVEL = 7;
const LABEL = /^\[?(?:(?:Decision|Table|Spec|List|Risk|Figure|Diagram|Question)\s+)?([A-Z]{1,3}\d{1,4})\b\]?/;

/** Everything in a plan that has a name: headings with an anchor or a label, and bold lines that begin with a label. */
export function definitionsIn({ lines, hidden }: PlanLines): readonly Definition[] {
  const found: Definition[] = [];
  const open: (Opening & { readonly start: number })[] = [];
  const close = (level: number, end: number) => {
    while (open.length > 0 && open.at(-1)!.level >= level) {
      const { names, title, start, isStep } = open.pop()!;
      if (names.length > 0) found.push({ names, title, start, end, isStep });
    }
  };
  for (const [index, line] of lines.entries()) {
    if (hidden[index] === 1) continue;
    if (/^ {0,3}(?:---+|\*\*\*+|___+)\s*$/.test(line.slice(0, 80))) close(BOLD_LEVEL, index);
    const opening = openingAt(line);
    if (opening === undefined) continue;
    close(opening.level, index);
    open.push({ ...opening, start: index });
  }
  close(1, lines.length);
  return found.toSorted((a, b) => a.start - b.start || b.end - a.end);
}

function openingAt(line: string): Opening | undefined {
  const heading = headingAt(line);
  if (heading) {
    const { level, text, anchor } = heading;
    const isStep = stepHeadingOf(text, anchor !== undefined)?.kind === "step";
    return { level, title: text, isStep, names: namesOf(text, anchor) };
  }
  const [, bold, anchor] = /^ {0,3}\*\*([^*]{1,300})\*\*[^{]{0,40}(?:\{#([^}\s]{1,200})\})?/.exec(line) ?? [];
  if (bold === undefined || (!LABEL.test(bold) && anchor === undefined)) return undefined;
  return { level: BOLD_LEVEL, title: bold.replace(/:$/, ""), isStep: false, names: namesOf(bold, anchor) };
}

const namesOf = (text: string, anchor: string | undefined): readonly string[] =>
  [LABEL.exec(text)?.[1], anchor === undefined ? undefined : `#${anchor}`].filter(
    (name) => name !== undefined,
  );
