import type { LeftOut, PlanCheck } from "../../../domain/index.ts";
import { checkSections, commandIn, isAside, isCheckSection } from "../headed/check-sections.ts";
import { boxesBetween, type DocumentBox, type MarkdownDocument } from "../markdown/document.ts";
import { hasUnreadWork, IN_A_LIST } from "../unread-work.ts";
import type { Dialect } from "./dialect.ts";
import { hasTaskId } from "./task-text.ts";

interface Checks {
  readonly checks: readonly PlanCheck[];
  readonly asides: readonly LeftOut[];
}

export const NO_CHECKS: Checks = { checks: [], asides: [] };

/**
 * Closing checklists and sections that are no work, where there is other work too. A box with an id is a task wherever it
 * stands.
 */
export function checklistChecks(
  document: MarkdownDocument,
  { isForPeople }: Dialect,
  isFree: (box: DocumentBox) => boolean,
): Checks {
  const free = document.boxes.filter(isFree);
  const within = boxesBetween(free);
  const boxesIn = (isMeant: (heading: string) => boolean) =>
    checkSections(document, () => true, isMeant)
      .map(({ start, end }) => within(start, end))
      .filter((boxes) => !boxes.some(({ text }) => hasTaskId(text)))
      .flat();
  const asides = new Set(boxesIn(isAside));
  const checks = new Set([
    ...boxesIn(isCheckSection),
    ...underLabels(document, free),
    ...(isForPeople ? free.filter(({ text }) => isForPeople(text)) : []),
  ]);
  const isWork = (box: DocumentBox) => !checks.has(box) && !asides.has(box);
  if (!document.boxes.some(isWork) && !hasUnreadWork(document)) return NO_CHECKS;
  return {
    checks: free
      .filter((box) => checks.has(box) && !asides.has(box))
      .map(({ line, text }) => ({ line: line + 1, text, command: commandIn(text) })),
    asides: [...asides].map(({ line, text }) => ({ line: line + 1, text, why: ASIDE })),
  };
}

const ASIDE = "Its section is no work of the plan.";

/** Boxes under `**Verification:**`, in a section that has other boxes, too. */
function underLabels(
  { lines, headings }: MarkdownDocument,
  boxes: readonly DocumentBox[],
): readonly DocumentBox[] {
  if (!lines.some(isCheckLabel)) return [];
  const sections = new Set(headings.map(({ line }) => line));
  const byLine = new Map(boxes.map((box) => [box.line, box]));
  const found: DocumentBox[] = [];
  let labelled: DocumentBox[] = [];
  let [isLabel, hasOther] = [false, false];
  const close = () => {
    if (hasOther && !labelled.some(({ text }) => hasTaskId(text))) found.push(...labelled);
    [labelled, isLabel, hasOther] = [[], false, false];
  };
  for (const [index, line] of lines.entries()) {
    const box = byLine.get(index);
    if (sections.has(index)) close();
    else if (box && isLabel) labelled.push(box);
    else if (box) hasOther = true;
    else if (line !== "" && !IN_A_LIST.test(line)) isLabel = isCheckLabel(line);
  }
  close();
  return found;
}

const isCheckLabel = (line: string): boolean => {
  if (!(line.startsWith("**") || line.startsWith("__"))) return false;
  const [, label] = /^(?:\*\*|__)(.+?):?(?:\*\*|__):?\s*$/.exec(line.slice(0, 200)) ?? [];
  return label !== undefined && isCheckSection(label);
};
