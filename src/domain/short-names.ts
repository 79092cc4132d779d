import { sessionName } from "./session-name.ts";

/*
 * What is too long to read, cut short inside a longer text. What is part of a path or the name of a ref stays whole:
 * people copy it, and cut short it would lead nowhere.
 */

/** Ids of sessions and full hashes. */
export const shortNames = (text: string, digits = SHORT_HASH): string =>
  shortSessions(text).replace(HASH, (hash) => hash.slice(0, digits));

export const shortSessions = (text: string): string => text.replace(SESSION, sessionName);

const SESSION = /(?<![\w/\\-])s-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w/\\-])/g;
const HASH = /(?<![\w/\\-])(?:[0-9a-f]{64}|[0-9a-f]{40})(?![\w/\\-])/g;

/** As many digits as tell commits apart where people look at them. */
const SHORT_HASH = 12;
