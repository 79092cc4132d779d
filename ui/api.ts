import type { Issue } from "./types.ts";

/** A refusal by the server, or no answer at all. */
export class Refused extends Error {
  readonly status: number;
  readonly issue: Issue | undefined;
  constructor(status: number, issue: Issue | undefined) {
    super(issue?.message ?? "The server does not answer.");
    this.status = status;
    this.issue = issue;
  }
}

/** When to ask a server again that said that there are too many calls. */
export const LATER_MS = 1000;

export const isTooMany = (error: unknown): boolean => error instanceof Refused && error.status === 429;

const TOKEN = "pawl-token";
const VIEW = "pawl-view";

let token = sessionStorage.getItem(TOKEN) ?? "";
const locked = new Set<() => void>();

/** Called when the server does not know this window any more. */
export const onLocked = (hear: () => void): void => void locked.add(hear);

export const isKnown = (): boolean => token !== "";

/** Whether the server knew this window once, and does not any more. */
export const wasKnown = (): boolean => wasIn;
let wasIn = token !== "";

/**
 * Turns the ticket in the address into a token, and takes it out of the address before anyone can copy it. The token
 * stays in this window only.
 */
export async function enter(from?: string): Promise<void> {
  const given = from ?? ticket ?? takeTicket();
  ticket = undefined;
  if (given === undefined) return;
  ({ token } = await exchange(given));
  wasIn = true;
  sessionStorage.setItem(TOKEN, token);
}

/** For another window; undefined when the server does not give one. */
export async function newTicket(): Promise<string | undefined> {
  try {
    return (await send<{ readonly ticket: string }>("/api/ticket", {})).ticket;
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

/** Others who have no ticket may be at the door; that costs this window a moment, not its ticket. */
async function exchange(given: string): Promise<{ readonly token: string }> {
  for (;;) {
    try {
      return await send<{ readonly token: string }>("/api/enter", { ticket: given });
    } catch (error) {
      if (!isTooMany(error)) throw error;
      await new Promise((go) => setTimeout(go, LATER_MS));
    }
  }
}

function takeTicket(): string | undefined {
  const [, found] = /^#ticket=([\w-]+)$/.exec(location.hash) ?? [];
  if (found !== undefined) history.replaceState(null, "", sessionStorage.getItem(VIEW) ?? "#/");
  return found;
}

/** Taken before anything else runs: code that changes the address first would lose it. */
let ticket = takeTicket();

/** So that a window that is let in again shows what it showed. */
export const rememberView = (): void => sessionStorage.setItem(VIEW, location.hash);

export const headers = (): Record<string, string> => ({ Authorization: `Bearer ${token}` });

export type Params = Readonly<
  Record<string, string | number | null | undefined | readonly (string | number)[]>
>;

export function addressOf(path: string, params: Params = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || value === null || value === "") continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
  }
  const text = search.toString();
  return text === "" ? path : `${path}?${text}`;
}

export const ask = <T>(path: string, params?: Params, signal?: AbortSignal): Promise<T> =>
  read<T>(() => fetch(addressOf(path, params), { headers: headers(), signal: signal ?? null }));

export const send = <T>(path: string, body: object): Promise<T> =>
  read<T>(() =>
    fetch(path, {
      method: "POST",
      headers: { ...headers(), "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  );

async function read<T>(call: () => Promise<Response>): Promise<T> {
  let response: Response;
  try {
    response = await call();
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Refused(0, undefined);
  }
  const envelope = (await response.json().catch(() => ({}))) as {
    readonly data?: T;
    readonly issues?: readonly Issue[];
  };
  if (response.ok && envelope.data !== undefined) return envelope.data;
  if (response.status === 401) lock();
  throw new Refused(response.status, envelope.issues?.[0]);
}

export function lock(): void {
  token = "";
  sessionStorage.removeItem(TOKEN);
  for (const hear of locked) hear();
}
