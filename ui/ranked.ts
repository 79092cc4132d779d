/** Something to go to or to do, by typing. */
export interface Entry {
  readonly label: string;
  readonly about: string;
  readonly run: () => void;
  readonly isAct?: boolean;
}

/** Other words for the same. */
const ALIASES: Readonly<Record<string, string>> = {
  dark: "light or dark",
  theme: "light or dark",
  logs: "sessions",
  agents: "sessions",
  runs: "sessions",
  history: "journal",
  events: "journal",
  gantt: "timeline",
  health: "doctor",
  home: "overview",
  shortcuts: "keys",
  start: "run",
  continue: "resume",
};

/** The beginning of a word counts more than its middle, the name more than what stands beside it. */
export function ranked(entries: readonly Entry[], words: string): readonly Entry[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (wanted.length === 0) return entries;
  const scored = entries.flatMap((entry) => {
    let score = 0;
    for (const word of wanted) {
      const one = Math.max(
        scoreOf(entry, word),
        Object.hasOwn(ALIASES, word) ? scoreOf(entry, ALIASES[word]!) - 1 : 0,
      );
      if (one <= 0) return [];
      score += one;
    }
    return [{ entry, score: score + (entry.isAct ? 1 : 0) }];
  });
  return scored.toSorted((a, b) => b.score - a.score).map(({ entry }) => entry);
}

function scoreOf({ label, about }: Entry, word: string): number {
  const [name, beside] = [label.toLowerCase(), about.toLowerCase()];
  if (name.startsWith(word)) return 8;
  if (startsWord(name, word)) return 6;
  if (startsWord(beside, word)) return 4;
  return name.includes(word) || beside.includes(word) ? 2 : 0;
}

const startsWord = (text: string, word: string): boolean =>
  text.split(/[^\p{L}\p{N}]+/u).some((one) => one.startsWith(word));
