import { Worker } from "node:worker_threads";
import type { Heartbeat, Lost } from "../../ports/index.ts";
import type { FromThread, HeartbeatOrder, Order, ToThread } from "./serve-heartbeats.ts";

export interface HeartbeatOptions {
  /** The built file that calls `serveHeartbeats`. */
  readonly threadFile: string;
  readonly leaseMs: number;
  readonly graceMs?: number | undefined;
  readonly data: unknown;
}

const GRACE_MS = 5000;

/** A thread, and who has a claim there. */
interface Thread {
  readonly worker: Worker;
  readonly claims: Map<number, Holder>;
  /** How many are waiting for it to stop theirs: the process stays that long. */
  stopping: number;
}

interface Holder {
  readonly hear: (message: FromThread) => void;
  readonly fail: (error: unknown) => void;
  readonly leave: () => void;
}

/**
 * One thread for all claims of a process, by its file; it stays for the next claim.
 *
 * To start one costs more than all else that a step needs. And each has a heap of its own, which makes every process that
 * is started from here dearer: a fork copies the page tables of all of them.
 */
const threads = new Map<string, Thread>();
let claims = 0;

function threadOf(file: string): Thread {
  const known = threads.get(file);
  if (known) return known;
  const worker = new Worker(file);
  const thread: Thread = { worker, claims: new Map(), stopping: 0 };
  const forget = () => {
    if (threads.get(file) === thread) threads.delete(file);
  };
  worker
    .on("message", (message: FromThread) => thread.claims.get(message.claim)?.hear(message))
    .on("error", (error) => {
      forget();
      for (const one of thread.claims.values()) one.fail(error);
    })
    .on("exit", () => {
      forget();
      for (const one of thread.claims.values()) one.leave();
    });
  threads.set(file, thread);
  return thread;
}

/**
 * Hands a claim to the thread. A thread that ends by a fault of its own counts as a lost claim: nothing renews any more.
 */
export function startHeartbeat({
  threadFile,
  leaseMs,
  graceMs = GRACE_MS,
  data,
}: HeartbeatOptions): Heartbeat {
  const flag = new SharedArrayBuffer(4);
  const begin: HeartbeatOrder = { leaseMs, graceMs, flag, data };
  const thread = threadOf(threadFile);
  const { worker } = thread;
  const claim = (claims += 1);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  const tell = (order: Order) => worker.postMessage({ claim, ...order } satisfies ToThread);
  let isBroken = false;
  let stopping: Promise<void> | undefined;
  let lose: (lost: Lost) => void;
  let end: () => void;
  const lost = new Promise<Lost>((resolve) => (lose = resolve));
  const over = new Promise<void>((resolve) => (end = resolve));

  thread.claims.set(claim, {
    hear(message) {
      if ("lost" in message) lose(message.lost);
      else end();
    },
    fail(error) {
      isBroken = true;
      if (stopping) return;
      Atomics.store(new Int32Array(flag), 0, 1);
      const what = error instanceof Error ? error.message : String(error);
      lose({ because: `the heartbeat failed: ${what}`, left: [] });
    },
    leave() {
      isBroken = true;
      end();
    },
  });
  tell({ begin });
  // The main thread leaves when its work is done, whether or not a heartbeat was stopped.
  if (thread.stopping === 0) worker.unref();

  const stop = async () => {
    if (!isBroken) {
      thread.stopping += 1;
      worker.ref();
      tell({ stop: true });
      await over;
      thread.stopping -= 1;
      if (thread.stopping === 0) worker.unref();
    }
    thread.claims.delete(claim);
  };
  const isLost = () => Atomics.load(new Int32Array(flag), 0) === 1;

  return {
    watch(record) {
      tell({ watch: record });
      // Named first, then the flag is read: the thread does it the other way round, so one of the two ends the command.
      return !isLost();
    },
    unwatch: (record) => tell({ unwatch: record }),
    isLost,
    lost,
    stop: () => (stopping ??= stop()),
  };
}
