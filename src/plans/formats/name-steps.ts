import { anchorFor } from "./plan-words.ts";

/** What tells one step from another, wherever it stands. */
export interface NameableStep {
  /** The id that its author gave it. */
  readonly id: string | undefined;
  /** The headings over it; empty where there are none. */
  readonly section: string;
  readonly title: string;
  /** Everything that it says beside its title, as far as steps can differ in it. */
  readonly whole: string;
}

export interface Naming {
  readonly anchors: readonly string[];
  /** Steps that nothing tells from an earlier one: its place in the list, and the earlier one's. */
  readonly repeated: ReadonlyMap<number, number>;
}

/**
 * Gives steps names that never depend on their order: the id, else the title; where several share those, the headings
 * over them as well; then a digest of all of it, for what differs only in what a name cannot hold.
 *
 * Numbers in the order of the file would give a finished step's name, and its progress, to another one as soon as
 * something before it is added or removed.
 */
export function nameSteps(steps: readonly NameableStep[], taken: ReadonlySet<string> = new Set()): Naming {
  const levels = steps.map(() => 0);
  const names = steps.map((step) => nameAt(step, 0));
  for (let isSettled = false; !isSettled;) {
    const counts = countOf(names);
    isSettled = true;
    for (const [index, step] of steps.entries()) {
      const [name, level] = [names[index]!, levels[index]!];
      if (level === LONGEST_NAME || (counts.get(name) === 1 && !taken.has(name))) continue;
      levels[index] = level + 1;
      names[index] = nameAt(step, level + 1);
      isSettled = false;
    }
  }
  return withoutEqual(steps, names);
}

/** How many of each name there are. */
function countOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** The last of the levels below. */
const LONGEST_NAME = 3;

/** A step's name: level 0 is the shortest. Longer ones are only made where they are needed, which is rarely. */
function nameAt(step: NameableStep, level: number): string {
  const { id, section, title } = step;
  const own = id === undefined ? slugOf(title) : anchorFor(id, "step");
  if (level === 0) return own;
  const placed = section === "" ? own : `${slugOf(section)}-${own}`;
  if (level === 1) return placed;
  const titled = id === undefined ? placed : `${placed}-${slugOf(title)}`;
  return level === 2 ? titled : `${titled}-${digestOf(JSON.stringify([id, section, step.whole]))}`;
}

/** A plan with equal steps is refused; until it is, each still needs a name of its own. */
function withoutEqual(steps: readonly NameableStep[], names: readonly string[]): Naming {
  const first = new Map<string, number>();
  const repeated = new Map<number, number>();
  const total = countOf(names);
  const counts = new Map<string, number>();
  const anchors = names.map((name, index) => {
    // Equal steps have equal names.
    if (total.get(name) === 1) return name;
    const { id, section, whole } = steps[index]!;
    const key = JSON.stringify([id, section, whole]);
    const before = first.get(key);
    if (before === undefined) first.set(key, index);
    else repeated.set(index, before);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name}-${count}`;
  });
  return { anchors, repeated };
}

const LONGEST_SLUG = 60;

function slugOf(text: string): string {
  const plain = text
    .normalize("NFC")
    .toLowerCase()
    .slice(0, 400)
    .replace(/[\0-/:-`{-\x7f]+/g, "-");
  // `\p` costs a short process a millisecond, and most titles have nothing that it is needed for.
  const slug = (/[^\0-\x7f]/.test(plain) ? plain.replace(/[^\p{L}\p{M}\p{N}]+/gu, "-") : plain).replace(
    /^-+|(?<!-)-+$/g,
    "",
  );
  const short = slug
    .slice(0, LONGEST_SLUG)
    .replace(/[\ud800-\udbff]$/, "")
    .replace(/(?<!-)-+$/, "");
  return short === "" ? "step" : short;
}

/** FNV-1a: short, the same everywhere, and without loading anything. */
function digestOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}
