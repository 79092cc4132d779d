import type { Params, Statement } from "../ports/database.ts";

/** Declares a query or a write; the type arguments say what goes in and what comes out. */
export const statement = <P extends Params, R = never>(text: string): Statement<P, R> => ({
  text: unindent(text),
  picks: false,
});

/** A query whose row the caller is about to take. */
export const pick = <P extends Params, R>(text: string): Statement<P, R> => ({
  text: unindent(text),
  picks: true,
});

const unindent = (text: string): string => text.trim().replace(/\n\s+/g, "\n  ");
