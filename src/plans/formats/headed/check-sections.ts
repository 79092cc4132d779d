import type { LineRange } from "../markdown/line-range.ts";
import type { LeftOut, PlanCheck } from "../../../domain/index.ts";
import { IN_A_LIST } from "../unread-work.ts";
import {
  boxesBetween,
  type DocumentBox,
  type DocumentHeading,
  type MarkdownDocument,
} from "../markdown/document.ts";
import { listItemAt } from "../markdown/list-item.ts";
import { titleLine } from "../plan-words.ts";

/** Whether a section says what must hold at the end, and not what is to be done: a closing checklist, criteria, commands. */
export const isCheckSection = (heading: string): boolean => {
  const words = heading.slice(0, 200).toLowerCase();
  return (HINT.test(words) && NAMED.test(words)) || (FOREIGN.test(words) && ELSEWHERE.test(words));
};

/** What each of the next has: nearly every heading has none, and this is quick. */
const FOREIGN = /[^\0-\x7f]|krit|crit|liste/;

/** The usual names in other languages. */
const ELSEWHERE =
  /^[\s\d.)]*(?:(?:abnahme|akzeptanz)kriterien|checkliste|crit[èe]res d['’]acceptation|criterios de aceptaci[óo]n|crit[ée]rios de aceita[çc][ãa]o|критерии при[её]мки|(?:验收|完成)标准|驗收標準|(?:测试|检查|验证|验收)清单|受け入れ(?:基準|条件)|完了条件|チェックリスト|인수 기준|완료 조건)[\s:：]*$/;

/** A word that each of them has: nearly every heading has none, and this is quick. */
const HINT = /done|accept|criteria|check|gate|command|verif|valid|metrics/;

/** Letters in small. `\\p{L}` and the flag `i` together cost a short process five milliseconds. */
const LETTERS = "a-z\\u00c0-\\u1fff\\u2c00-\\u2fff\\u3040-\\ud7ff\\uf900-\\ufaff";

const NAMED = new RegExp(
  [
    `^[^${LETTERS}]*(?:`,
    "definition of done|done (?:when|means|criteria)|exit criteria|acceptance(?: criteria| tests?| checklist)?",
    "|(?:(?:final|overall|plan|project|phase|manual|end-to-end|e2e|integration|functional|post-implementation|pre-merge|",
    "pre-release|release|quality|qa|review|testing|test|verification|validation|success|completion|acceptance|deployment|deliverables?|",
    "self[- ]review|spec coverage) )*",
    "(?:checklists?|criteria|checks|(?<= )(?:commands?|gates?))|(?:success|quality) metrics",
    "|(?:final |overall |manual )?(?:verification|validation)(?: steps| plan)?",
    `)(?:[\\s:]*(?:\\([^()]*\\)|[—–-].*))?[^${LETTERS}0-9]*$`,
  ].join(""),
);

/**
 * The same where headings are the work: any other checklist besides, such as `Migration checklist`, unless its name says that
 * it is about the work itself.
 */
export function isClosing(heading: string): boolean {
  const words = heading.slice(0, 200).toLowerCase();
  return isCheckSection(words) || (/\bchecklists?[^a-z]*$/.test(words) && !ABOUT_WORK.test(words));
}

const ABOUT_WORK =
  /\b(?:implementation|tasks?|to-?do|work|development|progress|phases?|features?|roadmap|project|master|build|steps?)\b/;

/** Boxes under a line that is a label for such a list: `**Smoke test checklist:**`. */
export function labelledChecks(
  { lines, headings, boxes }: MarkdownDocument,
  isOutside: (line: number) => boolean,
): readonly DocumentBox[] {
  const outside = new Map(boxes.filter(({ line }) => isOutside(line)).map((box) => [box.line, box]));
  if (outside.size === 0) return [];
  const sections = new Set(headings.map(({ line }) => line));
  const found: DocumentBox[] = [];
  let isLabel = false;
  for (const [index, line] of lines.entries()) {
    const box = outside.get(index);
    if (sections.has(index)) isLabel = false;
    else if (box) {
      if (isLabel) found.push(box);
    } else if (line !== "" && !IN_A_LIST.test(line)) isLabel = isClosingLabel(line);
  }
  return found;
}

function isClosingLabel(line: string): boolean {
  const [, bold, plain] = /^(?:(?:\*\*|__)(.+?):?(?:\*\*|__):?|(\w.*):)\s*$/.exec(line.slice(0, 200)) ?? [];
  const label = bold ?? plain;
  return label !== undefined && isClosing(label);
}

/** Whether a section is no work at all, although it has boxes: what to do if the work fails, what is left for later or open. */
export const isAside = (heading: string): boolean => ASIDE.test(heading.slice(0, 200).toLowerCase());

const ASIDE =
  /^[\s\d.)]*(?:roll-?\s?back|back-?out|out of scope|non-?goals|not in scope|open questions|risks?|deferred(?: ?[/&] ?future)?|won['’]?t do)(?: (?:plan|procedure|steps|strategy|items|tasks|work))?(?: (?:and|&) mitigations?)?[\s:]*$/;

/** The sections outside the tasks that say what must hold at the end, each up to the next heading of its level. */
export function checkSections(
  { headings, lines }: MarkdownDocument,
  isOutside: (line: number) => boolean,
  isMeant = isClosing,
): readonly (LineRange & { readonly heading: DocumentHeading })[] {
  const found: (LineRange & { readonly heading: DocumentHeading })[] = [];
  for (const [index, heading] of headings.entries()) {
    if (heading.line < (found.at(-1)?.end ?? 0) || !isOutside(heading.line)) continue;
    // The title of a file is about all of it.
    if ((index === 0 && heading.level === 1) || !isMeant(heading.text)) continue;
    let end = lines.length;
    for (let at = index + 1; at < headings.length; at += 1) {
      const { level, line } = headings[at]!;
      if (level > heading.level && isOutside(line)) continue;
      end = line;
      break;
    }
    found.push({ heading, start: heading.line, end });
  }
  return found;
}

/** What a check section names: its boxes, and the commands where it is about commands. */
export function checksIn(
  document: MarkdownDocument,
  { start, end, heading }: LineRange & { readonly heading: DocumentHeading },
): readonly PlanCheck[] {
  const boxes = boxesBetween(document.boxes)(start, end).map(({ line, text }) => ({
    line: line + 1,
    text,
    command: commandIn(text),
  }));
  if (!/\bcommands?\b/i.test(heading.text)) return boxes;
  const taken = new Set(boxes.map(({ line }) => line));
  const commands: PlanCheck[] = [];
  let isShell = true;
  for (let line = start + 1; line < end; line += 1) {
    const [, language] = /^\s*(?:`{3,}|~{3,})\s*([\w+-]*)/.exec(document.lines[line]!.slice(0, 100)) ?? [];
    if (language !== undefined) isShell = language === "" || SHELLS.test(language);
    const command =
      taken.has(line + 1) || (document.hidden[line] === 1 && !isShell)
        ? undefined
        : commandAt(document, line);
    if (command !== undefined) commands.push({ line: line + 1, text: command, command });
  }
  return [...boxes, ...commands].toSorted((a, b) => a.line - b.line);
}

/** What a fence with commands is said to be in; anything else is shown, and not run. */
const SHELLS = /^(?:(?:ba|z|fi|da|k)?sh|shell|console|terminal|powershell|pwsh|bat|cmd|text|txt)$/i;

/** The entries of a section without boxes, as plan mode writes them: `1. words`, `- words`. What is deeper says more. */
export function sectionEntries(
  { lines, hidden }: MarkdownDocument,
  { start, end }: LineRange,
): readonly PlanCheck[] {
  const entries: PlanCheck[] = [];
  for (let line = start + 1; line < end; line += 1) {
    const item = hidden[line] === 1 ? undefined : listItemAt(lines[line]!);
    const text = item?.indent === 0 ? titleLine(lines[line]!.slice(item.content)) : "";
    if (text !== "") entries.push({ line: line + 1, text, command: commandIn(text) });
  }
  return entries;
}

/** `- `go test ./...``, or a line of a fence that is no comment of the shell. */
function commandAt({ lines, hidden }: MarkdownDocument, index: number): string | undefined {
  const line = lines[index]!;
  const words = line.trim();
  if (hidden[index] === 1) return words === "" || /^(?:```|~~~|#|<!--)/.test(words) ? undefined : words;
  const item = listItemAt(line);
  return item && commandIn(line.slice(item.content));
}

export const commandIn = (text: string): string | undefined => /^`([^`]{1,1000})`/.exec(text.trim())?.[1];

const OUTSIDE_TASKS = "It stands outside every task.";

export const leftOutside = (line: number, text: string): LeftOut => ({
  line: line + 1,
  text,
  why: OUTSIDE_TASKS,
});
