import { safeBlock, safeText } from "../../domain/index.ts";

/** Longer texts crowd out what matters, and a context is not endless. */
const LONGEST_TEXT = 64 * 1024;
const LONGEST_OUTPUT = 8 * 1024;

/** One line of somebody else's text. */
export const line = (text: string): string =>
  safeText(
    text
      .split("\n")
      .map((part) => part.trim())
      .join(" "),
  );

/** The words of a plan or a person. What cannot be seen becomes visible, so that what an agent reads is what people read. */
export const words = (text: string): string => safeBlock(head(text, LONGEST_TEXT)).trim();

/**
 * What a program printed, as a block that it cannot break out of: the fence is longer than any in the text.
 *
 * Its end is kept, because that is where failures are.
 */
export function quoteOutput(text: string): string {
  const shown = safeBlock(tail(text, LONGEST_OUTPUT)).trimEnd();
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${shown}\n${fence}`;
}

function head(text: string, most: number): string {
  return text.length <= most
    ? text
    : `${whole(text.slice(0, most))}\n[${text.length - most} more characters]`;
}

function tail(text: string, most: number): string {
  return text.length <= most
    ? text
    : `[${text.length - most} characters before]\n${whole(text.slice(-most))}`;
}

/** A character outside the basic plane is two units; half of one is none. */
const whole = (text: string): string => text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
