/** How surely a file is of a format. Formats say one of these, so that their answers can be compared. */
export const LIKENESS = {
  no: 0,
  /** It could be read so, if nothing else fits. */
  barely: 5,
  unlikely: 10,
  perhaps: 25,
  likely: 50,
  /** It has marks that only this format has. */
  surely: 70,
  /** Its own program says so in the file, or the file lies where only that program writes. */
  certainly: 90,
} as const;

/** Whether the second choice was so near that a person should know of it. */
export const isNearly = (first: number, second: number): boolean =>
  second >= LIKENESS.unlikely &&
  first < LIKENESS.certainly &&
  first - second < LIKENESS.perhaps - LIKENESS.barely;
