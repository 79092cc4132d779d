/** Where something stands in a text. 1-based, as editors count. */
export interface SourcePosition {
  /** Which file of a folder. */
  readonly file?: string;
  readonly line: number;
  readonly column: number;
}

/** Turns offsets of a text into lines and columns. Looks the line ends up once, when first asked. */
export function positionsIn(text: string): (offset: number) => SourcePosition {
  let starts: number[] | undefined;
  return (offset) => {
    if (offset === 0) return FIRST;
    starts ??= lineStarts(text);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - starts[low]! + 1 };
  };
}

const FIRST: SourcePosition = { line: 1, column: 1 };

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
