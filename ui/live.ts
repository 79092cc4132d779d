import { addressOf, headers, isKnown, lock } from "./api.ts";
import type { JournalEvent, Job } from "./types.ts";

/** What the server tells by itself. `again` means: anything may have changed, ask anew. */
export type News =
  | { readonly kind: "journal"; readonly event: JournalEvent }
  | { readonly kind: "file"; readonly planPath: string; readonly isThere: boolean }
  /** A file came or went that could be a plan. */
  | { readonly kind: "plans" }
  | { readonly kind: "job"; readonly job: Job }
  | { readonly kind: "again" };

export type Connection = "connecting" | "live" | "lost";

const hearers = new Set<(news: News) => void>();
const watchers = new Set<(connection: Connection) => void>();
let connection: Connection = "connecting";
let last: number | undefined;

export function onNews(hear: (news: News) => void): () => void {
  hearers.add(hear);
  return () => void hearers.delete(hear);
}

export function onConnection(hear: (connection: Connection) => void): () => void {
  watchers.add(hear);
  hear(connection);
  return () => void watchers.delete(hear);
}

/**
 * Once it is known whether the server tells what happens. A reader before that would miss a change between
 * the two, and show what was for as long as nothing else happens.
 */
export const whenAnswered = (): Promise<void> =>
  new Promise((answered) => {
    const unlisten = onConnection((now) => {
      if (now === "connecting") return;
      queueMicrotask(() => unlisten());
      answered();
    });
  });

const tell = (news: News): void => {
  for (const hear of hearers) hear(news);
};

function become(next: Connection): void {
  connection = next;
  for (const hear of watchers) hear(next);
}

const PAUSES_MS = [200, 500, 1000, 2000, 4000];

/** The server says every five seconds that it is well. */
const SILENCE_MS = 14_000;

/** Listens for as long as the window is open, and comes back after every interruption, from the last line it received. */
export async function listen(): Promise<void> {
  if (isListening) return;
  isListening = true;
  await listenWhileKnown();
  isListening = false;
}

let isListening = false;

async function listenWhileKnown(): Promise<void> {
  for (let failures = 0; isKnown();) {
    try {
      const response = await fetch(addressOf("/api/live", { after: last }), { headers: headers() });
      if (response.status === 401) return lock();
      if (response.ok && response.body !== null) {
        failures = 0;
        await readMessages(response.body);
      }
    } catch {
      // The server is gone, or the machine slept; it is tried again.
    }
    become("lost");
    await new Promise((go) => setTimeout(go, PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)]));
    failures += 1;
  }
}

/** The server's first word: it listens for us now. What was missed before is asked for. */
function begin(): void {
  const isBack = connection === "lost";
  become("live");
  if (isBack) tell({ kind: "again" });
}

async function readMessages(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = "";
  for (;;) {
    const silence = setTimeout(() => void reader.cancel(), SILENCE_MS);
    const { done, value } = await reader.read().finally(() => clearTimeout(silence));
    if (done) return;
    if (connection !== "live") begin();
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) readMessage(block);
  }
}

function readMessage(block: string): void {
  const fields = new Map(
    block.split("\n").map((line) => {
      const at = line.indexOf(": ");
      return [line.slice(0, at), line.slice(at + 2)] as const;
    }),
  );
  const kind = fields.get("event");
  if (kind === undefined) return;
  const id = fields.get("id");
  if (id !== undefined) last = Number(id);
  const data = JSON.parse(fields.get("data") ?? "{}") as Record<string, unknown>;
  if (kind === "journal") tell({ kind, event: data as unknown as JournalEvent });
  else if (kind === "file")
    tell({ kind, planPath: String(data["plan_path"]), isThere: data["is_there"] === true });
  else if (kind === "plans") tell({ kind });
  else if (kind === "job") tell({ kind, job: data["job"] as Job });
  else tell({ kind: "again" });
}
