/** What a heading that starts with `Step` says. */
export type StepHeading =
  | {
      readonly kind: "step";
      readonly number: string | undefined;
      readonly title: string;
      /** `Step 4 Summary`: a step of its own that repeats the number of another. */
      readonly summary: boolean;
    }
  /** It looks like a step, but which one is unclear. */
  | { readonly kind: "unclear"; readonly why: string };

/**
 * Reads the text of a heading as that of a step; undefined when it is about something else.
 *
 * A step needs a number or, failing that, a separator and an anchor. So `Step Status Ledger`, `Step breakdown` and
 * `Steps` are no steps, whatever anchor they carry.
 */
export function stepHeadingOf(text: string, hasAnchor: boolean): StepHeading | undefined {
  if (text.slice(0, 4).toLowerCase() !== "step") return undefined;
  const rest = text.slice(4);
  if (!/^[\s:—–(]|^$/.test(rest)) return undefined;
  const words = rest.trimStart();
  const token = /^[A-Za-z0-9.]+/.exec(words)?.[0].replace(/\.$/, "") ?? "";
  if (isStepNumber(token)) return numbered(token, words.slice(token.length));
  if (/^[A-Za-z]{0,3}\d/.test(token)) return { kind: "unclear", why: "its number is none" };
  return unnumbered(words, hasAnchor);
}

/** `0`, `4.1`, `4.1.2`, `5.5.a`, `7.4a`, `11b`, `R1a`; `4.x` stands for several and is none. */
export function isStepNumber(token: string): boolean {
  // A number of thousands of parts would cost their square when its ancestors are looked up.
  if (token.length > LONGEST_NUMBER) return false;
  const [first = "", ...others] = token.split(".");
  return (
    /^[A-Za-z]{0,3}\d{1,9}[A-Za-z]?$/.test(first) &&
    others.every((part) => /^(?:\d{1,9}[A-Za-z]?|[A-WYZa-wyz])$/.test(part))
  );
}

const LONGEST_NUMBER = 60;

function numbered(number: string, rest: string): StepHeading | undefined {
  const separator = /^\s*(?:[:—–)]|(?:--?|\.)(?=\s|$))/.exec(rest);
  if (separator) return step(number, rest.slice(separator[0].length).trim());
  const words = rest.trim();
  if (words === "") return step(number, "");
  if (!/^\s/.test(rest) || SEVERAL.test(words)) {
    return { kind: "unclear", why: `“Step ${number}” is followed by something that is no title` };
  }
  return /^summary\b/i.test(words)
    ? { kind: "step", number, title: `Step ${number} ${words}`, summary: true }
    : step(number, words);
}

/** `Step 1 through 3`, `Step 1 and Step 2`: a heading over several steps. */
const SEVERAL = /^(?:through|thru|to|and|or|&|\+)\s(?:steps?\s)?[A-Za-z]?\d/i;

const step = (number: string, title: string): StepHeading => ({
  kind: "step",
  number,
  title: title === "" ? `Step ${number}` : title,
  summary: false,
});

/** `Step: Title`, `Step (gallery): Title`, `Step A — Title`. */
function unnumbered(words: string, hasAnchor: boolean): StepHeading | undefined {
  const name = /^(?:\([^()]{0,80}\)|[A-Za-z](?![A-Za-z]))?/.exec(words)?.[0] ?? "";
  const separator = /^\s?(?:[:—–]|-\s)/.exec(words.slice(name.length));
  if (!separator) return undefined;
  const title = words.slice(name.length + separator[0].length).trim();
  if (title === "") return undefined;
  return hasAnchor
    ? { kind: "step", number: undefined, title, summary: false }
    : { kind: "unclear", why: "it has neither a number nor an anchor" };
}
