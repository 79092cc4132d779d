import { isStruckOut } from "../plan-words.ts";

/** What the words beside a box say about the task. */
export interface TaskText {
  /** `T001`, `1.2`; undefined where there is none. */
  readonly id: string | undefined;
  /** Whether the id is one of spec-kit's, which have rules about order. */
  readonly isSpecKit: boolean;
  readonly isParallel: boolean;
  /** `US1` and the like. */
  readonly labels: readonly string[];
  readonly title: string;
  readonly isStruck: boolean;
}

/** `**T001** [P] [US1] Make the thing in src/thing.ts`, `**T001 [P]** Make it`, `1.2 Make the thing`, or any words. */
export function readTaskText(text: string): TaskText {
  const isStruck = isStruckOut(text);
  let rest = withoutCommit(isStruck ? text.replaceAll("~~", "").trim() : text);
  const [matched, bold, id] = ID.exec(rest) ?? [];
  const isSpecKit = id !== undefined && /^T/i.test(id);
  // `**T001 Words** more`: the bold continues behind the id.
  const isOpen = bold !== undefined && !matched!.endsWith("**");
  if (matched !== undefined) rest = rest.slice(matched.length).trim();
  const labels: string[] = [];
  for (let label = LABEL.exec(rest); label && labels.length < 8; label = LABEL.exec(rest)) {
    labels.push(label[1]!);
    rest = rest.slice(label[0].length).trim();
  }
  if (isOpen) rest = rest.startsWith("**") ? rest.slice(2).trim() : `**${rest}`;
  const title = rest.replace(/^[:—–-]\s+/, "").replace(/^task:\s+(?=\S)/i, "");
  return {
    id,
    isSpecKit,
    isParallel: labels.includes("P") || /(?:^|\s)\(P\)(?:\s|$)/.test(rest.slice(0, 2000)),
    labels: labels.filter((label) => label !== "P"),
    title: title === "" ? text : title,
    isStruck,
  };
}

/** Whether the words begin with an id: quicker than reading all of them. */
export const hasTaskId = (text: string): boolean =>
  ID.test(isStruckOut(text) ? text.slice(2).trimStart() : text);

/** Without the commit that Conductor writes behind a task that is done. Most words do not end like one. */
const withoutCommit = (text: string): string =>
  /[0-9a-f]{7}[\])`]?$/.test(text.slice(-8)) ? text.replace(COMMIT, "") : text;

/** `3f2a1bc`, `[3f2a1bc]`, `(3f2a1bc)`, `[commit: 3f2a1bc]`, in backquotes as well. */
const COMMIT = /(?<=\S)\s+[[(`]?(?:(?:commit|checkpoint):\s*)?(?=[0-9a-f]*\d)[0-9a-f]{7,12}[\])`]?$/;

/** `T001`, `T-001`, `T012a`, `1.`, `1.1`, `1.1.1.1`, each in bold if wanted. */
const ID =
  /^(\*\*)?(T-?\d{1,6}[a-z]?|\d{1,6}(?:\.\d{1,6}){1,5}|\d{1,6}(?=[.):]))[.):]?(?:\*\*)?[.):]?(?=\s|$)/i;

const LABEL = /^\[([A-Za-z][\w .-]{0,30})\](?=\s|\*\*|$)/;

/** Ids behind `depends on`, with ranges written out; only those of spec-kit's kind. */
export function mentionedIds(text: string): readonly string[] {
  const found: string[] = [];
  for (const { index } of text.slice(0, 4000).matchAll(/\bdepends on\b:?/gi)) {
    const behind = text.slice(index + "depends on".length, index + 400);
    const [list = ""] = /^:?(?:[\s,&]|and\b|\bT-?\d{1,6}[a-z]?\b|[-–—])*/i.exec(behind) ?? [];
    found.push(...idsIn(list));
  }
  return found;
}

function idsIn(list: string): readonly string[] {
  const ids: string[] = [];
  for (const [, first, last] of list.matchAll(/(T-?\d{1,6}[a-z]?)(?:\s*[-–—]\s*(T-?\d{1,6}))?/gi)) {
    ids.push(first!);
    if (last === undefined) continue;
    const [from, to] = [first!, last].map((id) => Number(/\d+/.exec(id)![0]));
    const digits = /\d+/.exec(last)![0].length;
    for (let number = from! + 1; number <= to! && number - from! < 500; number += 1)
      ids.push(first!.replace(/(?<!\d)\d+[a-z]?$/i, String(number).padStart(digits, "0")));
  }
  return ids;
}
