import { safeText } from "./safe-text.ts";

/**
 * Colours for people. Every function takes plain text and makes it safe first, so painting is also how untrusted
 * text gets into a line.
 */
export interface Paint {
  readonly plain: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly blue: (text: string) => string;
  readonly cyan: (text: string) => string;
  /** Columns of the terminal; 80 when it is not one. */
  readonly columns: number;
}

const style = (open: number, close: number) => (text: string) => `\x1b[${open}m${safeText(text)}\x1b[${close}m`;

export const colourful = (columns: number): Paint => ({
  plain: safeText,
  bold: style(1, 22),
  dim: style(2, 22),
  red: style(31, 39),
  green: style(32, 39),
  yellow: style(33, 39),
  blue: style(34, 39),
  cyan: style(36, 39),
  columns,
});

export const plain = (columns: number): Paint => ({
  plain: safeText,
  bold: safeText,
  dim: safeText,
  red: safeText,
  green: safeText,
  yellow: safeText,
  blue: safeText,
  cyan: safeText,
  columns,
});
