import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * Who may call.
 *
 * A ticket is in the link that people open, behind the `#`, where neither servers nor logs see it. It is good for one
 * token and for a short time, so a link that leaks later opens nothing. The token is sent as a header and never as a
 * cookie: browsers send cookies by themselves, also to other servers of this machine.
 */
export interface Keys {
  /** `onUsed` is called when it has become a token. */
  readonly newTicket: (onUsed?: () => void) => string;
  /** A token for a ticket; undefined when it was used, is too old, or never was one. */
  readonly exchange: (ticket: string) => string | undefined;
  readonly isToken: (token: string) => boolean;
}

const TICKET_MS = 10 * 60_000;
const MOST_TOKENS = 64;
const MOST_TICKETS = 16;

interface Ticket {
  readonly hash: Buffer;
  readonly until: number;
  readonly onUsed: (() => void) | undefined;
}

export function newKeys(nowMs: () => number): Keys {
  const tickets: Ticket[] = [];
  const tokens: Buffer[] = [];
  return {
    newTicket(onUsed) {
      const ticket = secret();
      tickets.push({ hash: hashOf(ticket), until: nowMs() + TICKET_MS, onUsed });
      if (tickets.length > MOST_TICKETS) tickets.shift();
      return ticket;
    },
    exchange(ticket) {
      const hash = hashOf(ticket);
      const index = tickets.findIndex((one) => timingSafeEqual(one.hash, hash) && one.until > nowMs());
      if (index === -1) return undefined;
      const [used] = tickets.splice(index, 1);
      used?.onUsed?.();
      const token = secret();
      tokens.push(hashOf(token));
      if (tokens.length > MOST_TOKENS) tokens.shift();
      return token;
    },
    isToken(token) {
      const hash = hashOf(token);
      // Every one is compared, so the time tells nothing.
      return tokens.reduce((found, one) => timingSafeEqual(one, hash) || found, false);
    },
  };
}

const secret = (): string => randomBytes(32).toString("base64url");

/** Only hashes are kept and compared: they have one length, and a look into our memory finds no key. */
const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest();
