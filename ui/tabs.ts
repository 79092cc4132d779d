/**
 * Tabs of the page let each other in.
 *
 * A token stays in its own tab, so an address that is opened in another one has none. It asks the others, and one that the
 * server knows asks the server for a ticket. Only pages of this very address hear each other.
 */
type Word =
  | { readonly kind: "ask"; readonly id: string }
  | { readonly kind: "ticket"; readonly id: string; readonly ticket: string }
  /** A tab was let in: a tab that waits outside may ask again. */
  | { readonly kind: "in" };

const channel = new BroadcastChannel("pawl-tabs");

/** How long the others have; a tab in the background answers slowly. */
const ANSWER_MS = 1500;
/** Several tabs may be in: the first one answers, the others hear it. */
const TURN_MS = 60;

const hearers = new Set<(word: Word) => void>();
channel.addEventListener("message", ({ data }: MessageEvent<Word>) => {
  for (const hear of hearers) hear(data);
});

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other side than its own origin
const tell = (word: Word): void => channel.postMessage(word);

export const tellIn = (): void => tell({ kind: "in" });

export function onOtherIn(hear: () => void): () => void {
  const one = (word: Word): void => {
    if (word.kind === "in") hear();
  };
  hearers.add(one);
  return () => void hearers.delete(one);
}

/** A ticket from another tab; undefined when none that is in is open. */
export function askTabs(): Promise<string | undefined> {
  const id = crypto.randomUUID();
  return new Promise((answered) => {
    const end = (ticket: string | undefined): void => {
      hearers.delete(hear);
      clearTimeout(timer);
      answered(ticket);
    };
    const hear = (word: Word): void => {
      if (word.kind === "ticket" && word.id === id) end(word.ticket);
    };
    const timer = setTimeout(() => end(undefined), ANSWER_MS);
    hearers.add(hear);
    tell({ kind: "ask", id });
  });
}

/** Lets other tabs in for as long as this one is. */
export function admitTabs(newTicket: () => Promise<string | undefined>): () => void {
  const answered = new Set<string>();
  const hear = (word: Word): void => {
    if (word.kind === "ticket") answered.add(word.id);
    if (word.kind !== "ask") return;
    const answer = async (): Promise<void> => {
      if (answered.has(word.id)) return;
      const ticket = await newTicket();
      if (ticket !== undefined) tell({ kind: "ticket", id: word.id, ticket });
    };
    setTimeout(() => void answer(), Math.random() * TURN_MS);
  };
  hearers.add(hear);
  return () => void hearers.delete(hear);
}
