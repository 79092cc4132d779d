/** Where the first character stands that is neither space nor tab; the length of the line when there is none. */
export function contentStart(line: string): number {
  let at = 0;
  while (isSpaceOrTab(line.charCodeAt(at))) at += 1;
  return at;
}

/** Columns before the content; a tab reaches to the next multiple of four, as in Markdown. */
export function indentOf(line: string): number {
  let columns = 0;
  for (let at = 0; isSpaceOrTab(line.charCodeAt(at)); at += 1)
    columns += line[at] === "\t" ? 4 - (columns % 4) : 1;
  return columns;
}

/** Space or tab. The end of the line, which has no code, is neither. */
export const isSpaceOrTab = (code: number): boolean => code === 0x20 || code === 0x09;
