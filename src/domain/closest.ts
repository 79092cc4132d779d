/**
 * The candidate that was most likely meant, or undefined when none is near.
 *
 * A wrong guess misleads, so at most one in three characters may differ. Of two equally near ones, one that continues
 * as the word began is likelier, then one of which letters were only left out. One that continues as the word began is
 * also taken from further off, as long as it is the only one.
 */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  // The cost grows with the product of the lengths, and no one mistypes a word of a hundred letters.
  if (word.length === 0 || word.length > LONGEST) return undefined;
  const typed = word.toLowerCase();
  let best: string | undefined;
  let bestRank = Infinity;
  for (const candidate of candidates) {
    const likely = candidate.slice(0, LONGEST).toLowerCase();
    const distance = editDistance(typed, likely);
    const allowed = Math.max(1, Math.floor(Math.max(typed.length, candidate.length) / 3));
    const rank = distance - kinship(typed, likely);
    if (distance <= allowed && distance < typed.length && rank < bestRank) {
      best = candidate;
      bestRank = rank;
    }
  }
  return best ?? onlyContinuation(typed, candidates);
}

const LONGEST = 64;

/** Less than one edit: it decides between candidates that are equally near. */
function kinship(typed: string, candidate: string): number {
  if (candidate.startsWith(typed)) return 0.5;
  let found = 0;
  for (const letter of candidate) if (letter === typed[found]) found += 1;
  return found === typed.length ? 0.25 : 0;
}

function onlyContinuation(typed: string, candidates: readonly string[]): string | undefined {
  const [first, second] = candidates.filter((candidate) => candidate.toLowerCase().startsWith(typed));
  return typed.length > 1 && second === undefined ? first : undefined;
}

/**
 * Damerau–Levenshtein distance in its restricted form: insertions, deletions, substitutions, and swaps of
 * neighbours, no part edited twice. Typing errors are of these four kinds.
 */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substituted = at(previous, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min(at(previous, j) + 1, at(current, j - 1) + 1, substituted);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, at(beforePrevious, j - 2) + 1);
      }
      current.push(cost);
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, b.length);
}

const at = (row: readonly number[], index: number): number => row[index] ?? Infinity;
