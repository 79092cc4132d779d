/** A part of a step, as a planner wrote it. */
export interface NewSubstep {
  readonly title: string;
  /** Plain lines; no headings and no boxes. */
  readonly text: string;
  readonly tasks: readonly string[];
}

/** A step that a person adds to a plan. */
export interface NewStep extends NewSubstep {
  /** The steps that it waits for, beside those that its place puts before it. */
  readonly after: readonly string[];
}

const MOST_SUBSTEPS = 12;
const LONGEST_TITLE = 200;

/** Reads a planner's answer: `###` headings, words, boxes. What is wrong comes back in words that it can act on. */
export function readSubsteps(answer: string): {
  readonly substeps: readonly NewSubstep[];
  readonly problems: readonly string[];
} {
  const substeps = partsOf(answer);
  const problems: string[] = [];
  if (substeps.length < 2) problems.push(`${substeps.length} substeps were found; at least 2 are needed`);
  if (substeps.length > MOST_SUBSTEPS)
    problems.push(`${substeps.length} substeps are too many; at most ${MOST_SUBSTEPS}`);
  const titles = new Set<string>();
  for (const { title, tasks } of substeps) {
    if (title === "" || title.length > LONGEST_TITLE)
      problems.push(`a title must have 1 to ${LONGEST_TITLE} characters`);
    if (titles.has(title)) problems.push(`two substeps are called "${title}"`);
    titles.add(title);
    if (tasks.length === 0) problems.push(`"${title}" has no box (- [ ] …) that can be ticked`);
  }
  return { substeps, problems };
}

function partsOf(answer: string): readonly NewSubstep[] {
  const parts: { title: string; text: string[]; tasks: string[] }[] = [];
  for (const line of answer.split(/\r?\n/)) {
    const [, title] = /^#{2,6}[ \t]+(\S.*)$/.exec(line) ?? [];
    const [, task] = /^[ \t]*[-*+][ \t]+\[[ xX]\][ \t]+(\S.*)$/.exec(line) ?? [];
    const current = parts.at(-1);
    if (title !== undefined) parts.push({ title: plain(title), text: [], tasks: [] });
    else if (task !== undefined) current?.tasks.push(plain(task));
    // Fences and headings would change what the rest of a plan means.
    else if (!/^[ \t]*(?:```|~~~|#|<!--)/.test(line)) current?.text.push(plain(line));
  }
  return parts.map(({ title, text, tasks }) => ({ title, text: text.join("\n").trim(), tasks }));
}

/** One line without control characters and without an anchor of its own. */
const plain = (line: string): string =>
  line
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, " ")
    .replace(/\{#[^{}]*\}/g, "")
    .trim();
