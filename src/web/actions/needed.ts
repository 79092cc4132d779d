import { Failure } from "../../domain/index.ts";
import type { ActionSubject } from "./action.ts";

/** What an action cannot do without. */
export function needed(subject: ActionSubject, name: Exclude<keyof ActionSubject, "options">): string {
  const value = subject[name];
  if (value !== undefined) return value;
  throw new Failure("usage/wrong", `${name} is missing.`, { missing: name });
}

/** What the person decided on is not what is there now. */
export const stale = (what: string): Failure =>
  new Failure("action/stale", `${what} has changed since this was decided.`, {});

export const notPossible = (why: string): Failure => new Failure("ui/not-possible", why, {});
