import type { AgentEvent, AgentTrouble, TroubleKind } from "../domain/index.ts";
import type { Sign } from "./agent-preset.ts";
import { type OutputMoment, resetTimeIn } from "./reset-time.ts";

/** Longer lines hold data, and patterns over megabytes cost more than they tell. */
const LOOKED_AT = 4000;
const SAID = 300;

/** The first sign that fits a text, with the time that the text tells. */
export function troubleIn(
  text: string,
  signs: readonly Sign[],
  moment: OutputMoment,
  from: AgentTrouble["from"],
): AgentTrouble | undefined {
  const looked = text.slice(0, LOOKED_AT);
  const sign = signs.find(({ words }) => words.test(looked));
  return sign && agentTrouble(sign.kind, looked, moment, from);
}

/** The same as events, for a reader of lines; over the signs that all agents share. */
export function troubleEvents(
  text: string | undefined,
  moment: OutputMoment,
  from: AgentTrouble["from"],
): readonly AgentEvent[] {
  const trouble = text === undefined ? undefined : troubleIn(text, ALL_SIGNS, moment, from);
  return trouble ? [{ kind: "trouble", trouble }] : [];
}

export function agentTrouble(
  kind: TroubleKind,
  text: string,
  moment: OutputMoment,
  from: AgentTrouble["from"] = "field",
): AgentTrouble {
  const untilMs = kind === "limited" ? resetTimeIn(text.slice(0, LOOKED_AT), moment) : undefined;
  return { kind, untilMs, from, said: firstLine(text) };
}

const firstLine = (text: string): string => {
  const [line = ""] = text.trim().split("\n", 1);
  return line.length > SAID ? `${line.slice(0, SAID)}…` : line;
};

/**
 * What an HTTP status of a model's API means for a session.
 *
 * A server that is overloaded or broken is as good as no network: the work is not at fault, and waiting helps.
 */
export function troubleOfStatus(status: number): TroubleKind | undefined {
  if (status === 429) return "limited";
  if (status === 401 || status === 402 || status === 403) return "unauthorised";
  if (status === 413) return "context_exhausted";
  if (status === 408 || status >= 500) return "offline";
  return undefined;
}

const LIMIT_SIGNS: readonly Sign[] = [
  { kind: "limited", words: /you[’']ve (?:hit|reached) your (?:\w+ ){0,3}limit/i },
  {
    kind: "limited",
    words:
      /(?:usage|session|weekly|rate|request|quota|5-hour|opus) limit (?:has been )?(?:reached|exceeded|hit)/i,
  },
  {
    kind: "limited",
    words: /\b(?:usage_limit_reached|rate_limit_(?:error|exceeded)|RESOURCE_EXHAUSTED|insufficient_quota)\b/,
  },
  {
    kind: "limited",
    words:
      /\bquota (?:exceeded|exhausted)|(?:exhausted|exceeded) your (?:daily |current )?quota|rate limited you\b/i,
  },
  { kind: "limited", words: /\b429\b.{0,40}\b(?:too many requests|rate)|\btoo many requests\b/i },
];

const AUTH_SIGNS: readonly Sign[] = [
  {
    kind: "unauthorised",
    words:
      /\b401\b.{0,20}unauthori[sz]ed|\b(?:invalid|incorrect) (?:x-)?api[- _]?key\b|\bapi key not valid\b/i,
  },
  {
    kind: "unauthorised",
    words: /\b(?:authentication_(?:error|failed)|invalid_api_key|AuthenticationError|ProviderAuthError)\b/,
  },
  {
    kind: "unauthorised",
    words: /\bplease (?:run \/login|log ?in|sign in)\b|\bnot logged in\b|\bOAuth token (?:has )?expired\b/i,
  },
  {
    kind: "unauthorised",
    words: /\bcredit balance is too low\b|\bset an auth method\b|\binvalid auth method\b/i,
  },
];

const CONTEXT_SIGNS: readonly Sign[] = [
  { kind: "context_exhausted", words: /\b(?:prompt|input|context|conversation) (?:is|was) too long\b/i },
  {
    kind: "context_exhausted",
    words: /\bcontext_length_exceeded\b|\bContextWindowExceededError\b|\bContextOverflowError\b/,
  },
  {
    kind: "context_exhausted",
    words: /\b(?:exceeds?|exceeded|ran out of|out of room in)\b.{0,40}\bcontext (?:window|length)\b/i,
  },
  { kind: "context_exhausted", words: /\bmaximum (?:context length|number of tokens)\b/i },
];

const NETWORK_SIGNS: readonly Sign[] = [
  {
    kind: "offline",
    words: /\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH)\b/,
  },
  {
    kind: "offline",
    words: /\b(?:unable|failed) to connect to (?:the )?API\b|\bConnectionRefused\b|\bwaiting for network\b/i,
  },
  {
    kind: "offline",
    words:
      /\b(?:connection (?:error|failed|refused|reset)|fetch failed|network (?:error|is unreachable)|stream disconnected)\b/i,
  },
  {
    kind: "offline",
    words:
      /\berror sending request\b|\bcould not resolve host\b|\bAPIConnectionError\b|\boverloaded_error\b/i,
  },
  {
    kind: "offline",
    words:
      /\b(?:server|model|service|provider) is (?:currently |temporarily )?(?:overloaded|unavailable)\b|\b(?:500|502|503|529)\b.{0,20}\b(?:internal server error|bad gateway|service unavailable|overloaded)\b/i,
  },
];

/**
 * What a program that Pawl knows nothing of says where its model's server refuses it. Only at the start of a line: what
 * it works on may talk about limits, too.
 */
export const SERVER_REFUSALS: readonly Sign[] = [
  {
    kind: "limited",
    words: /^\W*(?:(?:api|http|\w*error)\W+)*429\b.{0,60}\b(?:rate|quota|limit|too many)/i,
  },
  {
    kind: "limited",
    words: /^\W*(?:(?:api|\w*error)\W+)+(?:rate limit|usage limit|quota exceeded|too many requests)/i,
  },
  {
    kind: "unauthorised",
    words: /^\W*(?:(?:api|http|\w*error)\W+)+(?:401\b|(?:invalid|incorrect) api key)/i,
  },
];

/** In this order: a limit often comes with "connection closed", and a refused key with a retry. */
export const ALL_SIGNS: readonly Sign[] = [...LIMIT_SIGNS, ...AUTH_SIGNS, ...CONTEXT_SIGNS, ...NETWORK_SIGNS];
