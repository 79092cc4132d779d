import type { Params, Statement } from "./ports/index.ts";

/** Declares a query or a write; the type arguments say what goes in and what comes out. */
export const statement = <P extends Params, R = never>(text: string): Statement<P, R> =>
  declare(text, undefined);

/** A query whose row the caller is about to change, and which must not change in between. */
export const lock = <P extends Params, R>(text: string): Statement<P, R> => declare(text, "wait");

/** A query for any row that fits; one that a rival is taking at this moment is passed over. */
export const pick = <P extends Params, R>(text: string): Statement<P, R> => declare(text, "skip");

const declare = <P extends Params, R>(text: string, locks: "wait" | "skip" | undefined): Statement<P, R> => ({
  text: text.trim().replace(/\n\s+/g, "\n  "),
  locks,
});
