export const ARTIFACT_KINDS = ["architect_strategy", "reviewer_verdict", "auditor_summary"] as const;

const SUMMARY_CHARACTERS = 500;

/** At most 500 code points, cut between characters as people see them: half an emoji is no character. */
export function cutSummary(text: string): string {
  if (text.length <= SUMMARY_CHARACTERS) return text;
  const most = Array.from(text.slice(0, SUMMARY_CHARACTERS * 2))
    .slice(0, SUMMARY_CHARACTERS)
    .join("");
  if (most.length === text.length) return text;
  // Looking a little past the cut tells whether the last character continues behind it.
  const around = text.slice(0, most.length + 64);
  let end = 0;
  for (const { index } of new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(around)) {
    if (index > most.length) break;
    end = index;
  }
  return end === 0 ? most : text.slice(0, end);
}
