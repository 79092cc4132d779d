import type { Command } from "./command.ts";
import { closest } from "../domain/index.ts";

/** The commands by their words. `about` stands here as well as in the command, so that help loads nothing. */
export type Registry = Readonly<Record<string, CommandEntry>>;

export interface CommandEntry {
  readonly about: string;
  readonly load: () => Promise<Command>;
}

export type Located =
  | {
      readonly kind: "command";
      readonly name: string;
      readonly entry: CommandEntry;
      readonly rest: readonly string[];
    }
  | { readonly kind: "group"; readonly name: string }
  /** `typed` is every word before the first option. */
  | { readonly kind: "unknown"; readonly typed: string; readonly suggestion: string | undefined };

/** Finds the command that the first words name; the longest name wins. */
export function locate(registry: Registry, words: readonly string[]): Located {
  const firstOption = words.findIndex((word) => word.startsWith("-"));
  const leading = firstOption === -1 ? words : words.slice(0, firstOption);
  for (let length = Math.min(leading.length, LONGEST_NAME); length > 0; length -= 1) {
    const name = leading.slice(0, length).join(" ");
    const entry = Object.hasOwn(registry, name) ? registry[name] : undefined;
    if (entry) return { kind: "command", name, entry, rest: words.slice(length) };
  }
  const typed = leading.join(" ");
  if (leading.length === 1 && membersOf(registry, typed).length > 0) return { kind: "group", name: typed };
  return { kind: "unknown", typed, suggestion: suggestCommand(registry, leading) };
}

const LONGEST_NAME = 2;

/** The commands of a group: `claim` of `state claim`, with what they do. */
export const membersOf = (
  registry: Registry,
  group: string,
): readonly (readonly [name: string, about: string])[] =>
  Object.entries(registry)
    .filter(([name]) => name.startsWith(`${group} `))
    .map(([name, { about }]) => [name.slice(group.length + 1), about]);

/** The first words of all commands: single commands and groups, each once, in the order of the registry. */
export const firstWords = (registry: Registry): readonly string[] => [
  ...new Set(Object.keys(registry).map((name) => name.replace(/ .*/, ""))),
];

/** Words that other programs have for it, too far from ours to be slips of the fingers. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  continue: "resume",
  go: "run",
  history: "state events",
  journal: "state events",
  log: "sessions logs",
  ls: "status",
  next: "state ready",
  ps: "status",
  why: "explain",
};

function suggestCommand(registry: Registry, [first = "", second]: readonly string[]): string | undefined {
  const known = Object.hasOwn(ELSEWHERE, first) ? ELSEWHERE[first]! : first;
  if (known !== first && Object.hasOwn(registry, known)) return known;
  const tops = firstWords(registry);
  const top = closest(first, tops);
  const members = top === undefined ? [] : membersOf(registry, top).map(([name]) => name);
  const member = second === undefined ? undefined : closest(second, members);
  if (member !== undefined) return `${top} ${member}`;
  // `pawl claim` or `pawl worktree claim` for `pawl state claim`: the group was left out, or is another one.
  const lost = tops.includes(first) ? second : first;
  return Object.keys(registry).find((name) => name.endsWith(` ${lost}`)) ?? (top === first ? undefined : top);
}
