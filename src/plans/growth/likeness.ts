/** Words that two titles must share, of all the words they have: below this, one is not the other with an edit. */
const ENOUGH = 0.6;

/** More pairs than a person edits at once; comparing them all would be felt. */
const MOST_PAIRS = 250_000;

/**
 * Pairs each thing with the one that one of its titles is most like, where that is so from both sides.
 *
 * A wrong pair makes a step wait for a person; a missed one may do finished work again. So it suffices to be alike, and
 * of several that are equally alike the first one counts.
 */
export function mostAlike<A, B>(
  olds: readonly A[],
  news: readonly B[],
  titles: { readonly of: (old: A) => readonly string[]; readonly among: (one: B) => string },
): readonly (readonly [A, B])[] {
  if (olds.length * news.length > MOST_PAIRS) return [];
  const wordsOfNews = news.map((one) => wordsOf(titles.among(one)));
  const scores = olds.map((old) => {
    const known = titles.of(old).map(wordsOf);
    return wordsOfNews.map((others) => Math.max(...known.map((words) => likeness(words, others))));
  });
  const isAlone = (score: number, rivals: readonly number[]) =>
    rivals.filter((rival) => rival >= score).length === 1;
  const isFirst = (score: number, rivals: readonly number[], at: number) =>
    rivals.every((rival, other) => rival < score || (rival === score && other >= at));
  return olds.flatMap((old, at) =>
    news.flatMap((one, other) => {
      const score = scores[at]![other]!;
      const column = scores.map((row) => row[other]!);
      const isPair = score >= ENOUGH && isAlone(score, scores[at]!) && isFirst(score, column, at);
      return isPair ? [[old, one] as const] : [];
    }),
  );
}

const wordsOf = (title: string): ReadonlySet<string> =>
  new Set(
    withoutNumber(title)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  );

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}

const NUMBER = /^([*_\s]*(?:(?:phase|task|step|story|milestone|plan)\s+)?)\d+(?:\.\d+)*(?=\s*[:.)\u2013-])/iu;

/** A title without the number that it begins with, as in "Phase 3: Roof": renumbering changes no work. */
export const withoutNumber = (title: string): string => title.replace(NUMBER, "$1");
