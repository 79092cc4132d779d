import { setTimeout as sleep } from "node:timers/promises";
import { type MessagePort, parentPort, receiveMessageOnPort } from "node:worker_threads";
import type { Beat } from "../../ports/hearts.ts";
import type { ProcessRecord } from "../../ports/supervisor.ts";
import { processTable } from "../process-table.ts";
import { stopOwn } from "../supervise/stop-own.ts";
import { systemClock } from "../system-clock.ts";
import { keepBeating } from "./keep-beating.ts";

/** One claim to keep. `data` is for whoever makes the beats. */
export interface HeartOrder {
  readonly leaseMs: number;
  readonly graceMs: number;
  /** One number, shared: 1 once the claim is lost. */
  readonly flag: SharedArrayBuffer;
  readonly data: unknown;
}

export type ToThread =
  | { readonly begin: HeartOrder }
  | { readonly watch: ProcessRecord }
  | { readonly unwatch: ProcessRecord }
  | { readonly stop: true };

export type FromThread =
  | { readonly beatMs: number }
  | { readonly lost: { readonly because: string; readonly left: readonly number[] } }
  /** It was stopped, and can be given another claim. */
  | { readonly stopped: true };

type MakeBeat = (data: unknown) => Promise<Beat>;

/** A claim that is kept at this moment. */
interface Keeping {
  readonly watched: Map<number, ProcessRecord>;
  readonly stop: AbortController;
}

/**
 * The body of the heartbeat's thread: keeps one claim after the other.
 *
 * When the claim is lost it ends the agents itself, and only then tells the main thread: that one may be busy for
 * minutes, in which an agent could write over its successor's work.
 */
export function serveHeart(makeBeat: MakeBeat): void {
  const port = parentPort!;
  let keeping: Keeping | undefined;
  const hear = (message: ToThread) => {
    if ("begin" in message) {
      keeping = { watched: new Map(), stop: new AbortController() };
      void keep(port, message.begin, keeping, hear, makeBeat);
    } else if ("watch" in message) keeping?.watched.set(message.watch.pid, message.watch);
    else if ("unwatch" in message) keeping?.watched.delete(message.unwatch.pid);
    else keeping?.stop.abort();
  };
  port.on("message", hear);
}

async function keep(
  port: MessagePort,
  { leaseMs, graceMs, flag, data }: HeartOrder,
  { watched, stop }: Keeping,
  hear: (message: ToThread) => void,
  makeBeat: MakeBeat,
): Promise<void> {
  const tell = (message: FromThread) => port.postMessage(message);
  const nap = async (ms: number, off?: AbortSignal) => {
    const signal = off ? AbortSignal.any([stop.signal, off]) : stop.signal;
    await sleep(ms, undefined, { signal }).catch(() => undefined);
  };
  const because = await keepBeating({
    beat: lazily(makeBeat, data),
    leaseMs,
    clock: systemClock,
    nap,
    isStopped: () => stop.signal.aborted,
    onBeat: (beatMs) => tell({ beatMs }),
  });
  if (because !== undefined) {
    Atomics.store(new Int32Array(flag), 0, 1);
    // Whoever was told of before the flag was up must be heard of now; whoever comes later sees the flag.
    for (let left = receiveMessageOnPort(port); left !== undefined; left = receiveMessageOnPort(port))
      hear(left.message as ToThread);
    const ends = await Promise.all(
      [...watched.values()].map((record) =>
        stopOwn(
          { record, table: processTable, isChild: true, self: process.pid },
          { graceMs: () => graceMs, uptimeMs: systemClock.uptimeMs },
        ),
      ),
    );
    tell({ lost: { because, left: ends.flatMap(({ left }) => left.map(({ pid }) => pid)) } });
  }
  if (!stop.signal.aborted)
    await new Promise((resolve) => {
      stop.signal.addEventListener("abort", resolve, { once: true });
    });
  tell({ stopped: true });
}

/** What makes the beats is made with the first one; when that fails, the next beat tries again. */
function lazily(makeBeat: MakeBeat, data: unknown): Beat {
  let made: Promise<Beat> | undefined;
  return async () => {
    made ??= makeBeat(data).catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return (await made)();
  };
}
