/** From where to where a line differs from the one it replaces; pairs of places in it. */
export type Ranges = readonly (readonly [from: number, until: number])[];

const MOST_WORDS = 160;

const wordsOf = (line: string): readonly string[] => line.match(/\w+|\s+|[^\w\s]/g) ?? [];

/** The words that differ between two lines. Lines that have little in common are different as a whole: none are marked. */
export function changedWords(before: string, after: string): readonly [Ranges, Ranges] {
  const [a, b] = [wordsOf(before), wordsOf(after)];
  if (a.length > MOST_WORDS || b.length > MOST_WORDS) return [[], []];
  const common = longestCommon(a, b);
  const kept = common.reduce((sum, [index]) => sum + a[index]!.trim().length, 0);
  const shorter = Math.min(before.trim().length, after.trim().length);
  if (kept * 3 < shorter) return [[], []];
  return [
    rangesOf(a, new Set(common.map(([index]) => index))),
    rangesOf(b, new Set(common.map(([, index]) => index))),
  ];
}

function longestCommon(a: readonly string[], b: readonly string[]): readonly (readonly [number, number])[] {
  const table = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      table[i]![j] =
        a[i] === b[j] ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, table[i]![j + 1]!);
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (table[i + 1]![j]! >= table[i]![j + 1]!) i += 1;
    else j += 1;
  }
  return pairs;
}

/** The words that are not among those kept, neighbours joined. */
function rangesOf(words: readonly string[], kept: ReadonlySet<number>): Ranges {
  const ranges: [number, number][] = [];
  let place = 0;
  words.forEach((word, index) => {
    const last = ranges.at(-1);
    if (!kept.has(index)) {
      if (last?.[1] === place) last[1] += word.length;
      else ranges.push([place, place + word.length]);
    }
    place += word.length;
  });
  return ranges;
}
