import { safeBlock, safeText } from "../../domain/index.ts";

/** Longer texts crowd out what matters, and a context is not endless. */
const LONGEST_TEXT = 64 * 1024;
const LONGEST_OUTPUT = 8 * 1024;

/** One line of foreign text. */
export const line = (text: string): string =>
  safeText(
    text
      .split("\n")
      .map((part) => part.trim())
      .join(" "),
  );

/** The words of a plan or a person. What cannot be seen becomes visible, so that what an agent reads is what people read. */
export const words = (text: string): string => safeBlock(head(text, LONGEST_TEXT)).trim();

/** What a program printed; its end is kept, because that is where failures are. */
export const output = (text: string): string => safeBlock(tail(text, LONGEST_OUTPUT)).trimEnd();

/** Foreign text as a block that it cannot break out of: the fence is longer than any in the text. */
export function fenced(text: string, kind: "markdown" | "text"): string {
  const longest = [...text.matchAll(/`{3,}/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}${kind}\n${text}\n${fence}`;
}

/** At most so many bytes from the start of a text, whole characters only. */
export function headBytes(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  return bytes.subarray(0, startOfCharacter(bytes, Math.max(0, most))).toString();
}

/** The same from its end. */
export function tailBytes(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  let from = bytes.length - Math.max(0, most);
  while (from < bytes.length && isInside(bytes[from]!)) from += 1;
  return bytes.subarray(from).toString();
}

function startOfCharacter(bytes: Uint8Array, at: number): number {
  let from = at;
  while (from > 0 && isInside(bytes[from]!)) from -= 1;
  return from;
}

/** Whether a byte continues a character of UTF-8. */
const isInside = (byte: number): boolean => byte >> 6 === 0b10;

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
