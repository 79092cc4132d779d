import { safeText } from "../../domain/index.ts";

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

/** The codes that open and close each style. */
const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  cyan: [36, 39],
} as const;

/** The only escape sequences Pawl ever prints, as the source of a pattern. */
export const OWN_SEQUENCES = String.raw`\x1b\[(?:${[...new Set(Object.values(STYLES).flat())].join("|")})m`;

const style =
  ([open, close]: readonly [number, number]) =>
  (text: string) =>
    `\x1b[${open}m${safeText(text)}\x1b[${close}m`;

export const colourPaint = (columns: number): Paint => ({
  plain: safeText,
  bold: style(STYLES.bold),
  dim: style(STYLES.dim),
  red: style(STYLES.red),
  green: style(STYLES.green),
  yellow: style(STYLES.yellow),
  blue: style(STYLES.blue),
  cyan: style(STYLES.cyan),
  columns,
});

export const plainPaint = (columns: number): Paint => ({
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
