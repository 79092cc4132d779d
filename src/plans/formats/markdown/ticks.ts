/** Where each line starts in a text, counted as `visibleLines` counts them. */
export function lineStarts(text: string): readonly number[] {
  const starts = [text.charCodeAt(0) === 0xfeff ? 1 : 0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + end.length);
  return starts;
}

/** `x`, unless everything in the file is ticked with `X`. */
export const tickOf = (text: string): string =>
  !/[-*+.)#][ \t]*\[x\]/.test(text) && /[-*+.)#][ \t]*\[X\]/.test(text) ? "X" : "x";
