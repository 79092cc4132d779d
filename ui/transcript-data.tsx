import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ask, Refused } from "./api.ts";
import { EventRow } from "./views/event-row.tsx";

/** What an agent said or did, as the server tells it. */
export interface TranscriptItem {
  readonly kind: "text" | "notice" | "call" | "result" | "refused" | "end";
  readonly place: number;
  readonly part: number;
  readonly text?: string | null;
  readonly id?: string | null;
  readonly tool?: string;
  readonly detail?: string | null;
  readonly path?: string | null;
  readonly edits?: readonly { readonly before: string; readonly after: string }[];
  readonly input?: string | null;
  readonly ok?: boolean;
  readonly what?: string;
  readonly at?: string | null;
}

interface Page {
  readonly events: readonly TranscriptItem[];
  readonly older: number | null;
  readonly next: number;
  readonly log: string;
  readonly is_live: boolean;
  readonly is_anew: boolean;
}

/** A few events that are drawn once and then left alone. */
export interface Block {
  readonly key: string;
  readonly events: readonly TranscriptItem[];
  readonly drawn: VNode;
}

const LOOK_MS = 500;
/** As many as are drawn in a moment: a longer one would be felt while scrolling. */
const PAGE = 100;

export interface Reading {
  readonly blocks: readonly Block[];
  readonly isLive: boolean;
  readonly isRead: boolean;
  readonly isMore: boolean;
  readonly error: Refused | undefined;
  readonly more: () => void;
}

export function useTranscript(
  session: string,
  command: number,
  status: string,
  filter: { readonly find: string; readonly errors: number | undefined },
): Reading {
  const [state, setState] = useState<Omit<Reading, "more">>(EMPTY);
  const more = useRef<() => void>(() => undefined);
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let [older, next, log]: [number | null, number | undefined, string] = [null, undefined, ""];
    let isBusy = false;
    const about = { id: session, command, ...filter };
    const load = async (place: object): Promise<Page> =>
      ask<Page>("/api/transcript", { ...about, most: PAGE, ...place }, stop.signal);
    const failed = (error: unknown): void => {
      if (!stop.signal.aborted && error instanceof Refused) setState((before) => ({ ...before, error }));
    };
    const begin = async (): Promise<void> => {
      try {
        const page = await load({});
        ({ older, next, log } = page);
        setState({
          ...EMPTY,
          blocks: blocksOf(page.events),
          isLive: page.is_live,
          isRead: true,
          isMore: older !== null,
        });
        if (page.is_live) timer = setTimeout(() => void follow(), LOOK_MS);
      } catch (error) {
        failed(error);
        if (!stop.signal.aborted) timer = setTimeout(() => void begin(), LOOK_MS * 4);
      }
    };
    const follow = async (): Promise<void> => {
      try {
        const page = await load({ after: next, log });
        if (page.is_anew) return void begin();
        next = page.next;
        setState((before) => ({
          ...before,
          blocks: page.events.length === 0 ? before.blocks : withNewer(before.blocks, page.events),
          isLive: page.is_live,
          error: undefined,
        }));
        if (!page.is_live) return;
      } catch (error) {
        failed(error);
        if (stop.signal.aborted) return;
      }
      timer = setTimeout(() => void follow(), LOOK_MS);
    };
    const loadOlder = async (): Promise<void> => {
      if (isBusy || older === null) return;
      isBusy = true;
      try {
        const page = await load({ before: older, log });
        if (page.is_anew) return void begin();
        ({ older } = page);
        setState((before) => ({
          ...before,
          blocks: withOlder(before.blocks, page.events),
          isMore: older !== null,
        }));
      } catch (error) {
        failed(error);
      } finally {
        isBusy = false;
      }
    };
    more.current = () => void loadOlder();
    void begin();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [session, command, status, filter.find, filter.errors]);
  return { ...state, more: () => more.current() };
}

const EMPTY = { blocks: [], isLive: false, isRead: false, isMore: false, error: undefined } as const;

const BLOCK = 20;

/** Calls take their results along, where both are here. */
function blocksOf(events: readonly TranscriptItem[]): readonly Block[] {
  const calls = idsOf(events, "call");
  const shown = events.filter((event) => event.kind !== "result" || !event.id || !calls.has(event.id));
  const results = events.filter((event) => event.kind === "result" && event.id && calls.has(event.id));
  const blocks: Block[] = [];
  for (let from = 0; from < shown.length; from += BLOCK) {
    const part = shown.slice(from, from + BLOCK);
    const mine = idsOf(part, "call");
    blocks.push(
      drawn(`${part[0]!.place}.${part[0]!.part}`, [
        ...part,
        ...results.filter(({ id }) => mine.has(id ?? "")),
      ]),
    );
  }
  return blocks;
}

function drawn(key: string, events: readonly TranscriptItem[]): Block {
  const calls = idsOf(events, "call");
  const results = new Map(
    events.flatMap((event) => (event.kind === "result" && event.id ? [[event.id, event]] : [])),
  );
  const rows = events.filter(({ kind, id }) => kind !== "result" || !id || !calls.has(id));
  return {
    key,
    events,
    drawn: (
      <div key={key} class="block" data-key={key}>
        {rows.map((event) => (
          <EventRow key={`${event.place}.${event.part}`} event={event} result={results.get(event.id ?? "")} />
        ))}
      </div>
    ),
  };
}

const idsOf = (events: readonly TranscriptItem[], kind: TranscriptItem["kind"]): ReadonlySet<string> =>
  new Set(events.flatMap((event) => (event.kind === kind && event.id ? [event.id] : [])));

/** What came since is drawn together with the last block, whose calls may wait for it. */
function withNewer(blocks: readonly Block[], events: readonly TranscriptItem[]): readonly Block[] {
  const last = blocks.at(-1);
  if (last === undefined || last.events.length > 2 * BLOCK) return [...blocks, ...blocksOf(events)];
  return [...blocks.slice(0, -1), ...blocksOf([...last.events, ...events].toSorted(byPlace))];
}

/** A call at the end of an older page takes its result from the beginning of what was there. */
function withOlder(blocks: readonly Block[], events: readonly TranscriptItem[]): readonly Block[] {
  const [first, ...others] = blocks;
  const calls = idsOf(events, "call");
  const isTheirs = ({ kind, id }: TranscriptItem): boolean => kind === "result" && calls.has(id ?? "");
  const found = first?.events.filter(isTheirs) ?? [];
  if (first === undefined || found.length === 0) return [...blocksOf(events), ...blocks];
  const left = first.events.filter((event) => !isTheirs(event));
  return [...blocksOf([...events, ...found]), drawn(first.key, left), ...others];
}

const byPlace = (a: TranscriptItem, b: TranscriptItem): number => a.place - b.place || a.part - b.part;
